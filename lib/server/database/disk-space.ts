import 'server-only'
import { statfsSync } from 'node:fs'

const MIB = 2 ** 20

/**
 * The free disk space that PGlite always needs. Its write-ahead log grows by files of 16 MiB. If the next one does not
 * fit, PostgreSQL panics, and PGlite 0.5 then hangs in an endless loop. Reading writes a little too, and so does the
 * checkpoint that frees old files of the log.
 */
export const MIN_FREE_BYTES = 64 * MIB
/** Between the two, so that one freed file does not let writers in and out again. */
const FREE_AGAIN_BYTES = 80 * MIB
/** A start redoes what a crash left, and that takes a new file of the log. */
export const START_FREE_BYTES = 40 * MIB

/** A writer at full speed makes less than the kept room in this time. */
const FRESH_MS = 50

/** PostgreSQL's own code, so that it is answered as its full disk is. */
class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = '53100'
}

export type DiskSpace = {
  /** True from the moment when the room is short until there is enough again. */
  isShort: () => boolean
  /** For a statement of a transaction that began with sufficient disk space: throws PostgreSQL's error of a full disk. */
  check: () => void
}

/** Bytes that an unprivileged process may still write below the folder. Throws the system's error. */
export const freeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Watches the room on the disk of a folder; asks the system twenty times a second at most. */
export const watchDiskSpace = (
  directory: string,
  { free = freeBytes, now = () => performance.now() }: { free?: typeof freeBytes; now?: () => number } = {},
): DiskSpace => {
  let readAt = Number.NEGATIVE_INFINITY
  let wasShort = false
  const isShort = (): boolean => {
    const at = now()
    if (at - readAt < FRESH_MS) return wasShort
    readAt = at
    wasShort = free(directory) < (wasShort ? FREE_AGAIN_BYTES : MIN_FREE_BYTES)
    return wasShort
  }
  return {
    isShort,
    check: () => {
      if (isShort())
        throw new DiskFull(`Less than ${MIN_FREE_BYTES / MIB} MiB are free on the disk of ${directory}.`)
    },
  }
}
