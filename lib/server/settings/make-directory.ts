import 'server-only'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '@/lib/server/errors/error-code'

const isDirectory = async (directory: string): Promise<boolean> => {
  try {
    return (await stat(directory)).isDirectory()
  } catch {
    return false
  }
}

/** Creates it if it does not exist. */
const makeOne = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await isDirectory(directory))) throw error
  }
}

/**
 * Makes a folder for its owner alone, and those above it. Not mkdir's own `recursive`: where a file system refuses with
 * ENOENT (as /proc does) Node 20 retries it forever.
 */
export const makeDirectory = async (directory: string): Promise<void> => {
  try {
    await makeOne(directory)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const parent = dirname(directory)
    // Others that start at the same moment may have made it in between.
    if (!(await isDirectory(parent))) await makeDirectory(parent)
    await makeOne(directory)
  }
}
