import 'server-only'
import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-code'

/**
 * Makes a folder for its owner alone, and those above it. Not mkdir's own `recursive`: where a file system refuses with
 * ENOENT (as /proc does) Node 20 retries it forever.
 */
export const makeDirectory = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return
    const parent = dirname(directory)
    if (errorCode(error) !== 'ENOENT' || existsSync(parent)) throw error
    await makeDirectory(parent)
    await mkdir(directory, { mode: 0o700 })
  }
}
