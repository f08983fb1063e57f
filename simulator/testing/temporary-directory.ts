import { accessSync, constants, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'

const isWritable = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/**
 * An empty directory for host trees, in memory where that is possible: ext4 does not re-use an inode for a while after
 * its file is gone, and writing a tree of 6,000 files right after deleting another takes seconds there.
 */
export const makeTemporaryDirectory = (prefix: string): string =>
  mkdtempSync(path.join(isWritable(MEMORY) ? MEMORY : tmpdir(), `${prefix}-`))
