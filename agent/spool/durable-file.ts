import { open, rename, unlink } from 'node:fs/promises'
import path from 'node:path'

/** Ending of files that are being written; what carries it after a crash is half a file. */
export const TEMPORARY_SUFFIX = '.tmp'

/** Makes a rename or removal in this directory survive a power loss. */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

type DurableFile = { file: string; data: string | Buffer; mode?: number }

/**
 * Writes a file that is either the old or the new one after a kill or a power loss, never a part of it. Rejects with the
 * system's error (ENOSPC, EROFS …) and then leaves the old file.
 */
export const writeDurable = async ({ file, data, mode = 0o600 }: DurableFile): Promise<void> => {
  const temporary = `${file}${TEMPORARY_SUFFIX}`
  const handle = await open(temporary, 'w', mode)
  try {
    try {
      await handle.chmod(mode)
      await handle.writeFile(data)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
  await syncDirectory(path.dirname(file))
}
