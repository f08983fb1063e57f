import 'server-only'
import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/**
 * Makes a folder for its owner alone, and those above it. Not mkdir's own `recursive`: where a file system refuses with
 * ENOENT (as /proc does) Node 20 retries it forever.
 */
export const makeDirectory = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return
    const parent = dirname(directory)
    if (codeOf(error) !== 'ENOENT' || existsSync(parent)) throw error
    await makeDirectory(parent)
    await mkdir(directory, { mode: 0o700 })
  }
}
