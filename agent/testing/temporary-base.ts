import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const NEEDED_BYTES = 512 * 1024 * 1024

/** Where trees of thousands of small files are written: memory when it has enough free space, since a busy disk takes 50 times as long. */
export const temporaryBase = (neededBytes = NEEDED_BYTES): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > neededBytes ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
