import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const isDirectory = async (directory: string): Promise<boolean> => {
  try {
    return (await stat(directory)).isDirectory()
  } catch {
    return false
  }
}

/** Makes it unless it is there. */
const makeOne = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await isDirectory(directory))) throw error
  }
}

/**
 * Makes a directory for its owner alone, and those above it. Not mkdir's own `recursive`: where a file system refuses with
 * ENOENT (as /proc does) Node 20 retries it endlessly. Rejects with the system's error.
 */
export const makeDirectory = async (directory: string): Promise<void> => {
  try {
    await makeOne(directory)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    const parent = path.dirname(directory)
    // Others that start at the same moment may have made it in between.
    if (!(await isDirectory(parent))) await makeDirectory(parent)
    await makeOne(directory)
  }
}
