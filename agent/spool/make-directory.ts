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

/** False: what is above it is missing, or the file system says so. */
const makeOne = async (directory: string): Promise<boolean> => {
  try {
    await mkdir(directory, { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await isDirectory(directory))) return true
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/**
 * Makes a directory for its owner alone, and those above it. Not mkdir's own `recursive`: where a file system refuses with
 * ENOENT (as /proc does) Node 20 retries it for ever. Rejects with the system's error.
 */
export const makeDirectory = async (directory: string): Promise<void> => {
  if (await makeOne(directory)) return
  const parent = path.dirname(directory)
  if (!(await isDirectory(parent))) await makeDirectory(parent)
  // Agents that start side by side make the same parents: what was missing a moment ago may be there by now.
  if (!(await makeOne(directory))) await mkdir(directory, { mode: 0o700 })
}
