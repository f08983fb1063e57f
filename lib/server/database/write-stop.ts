import 'server-only'
import type { PGlite } from '@electric-sql/pglite'
import type { DiskSpace } from './disk-space'
import type { RunSql } from './row'

/** Without statements there are no writes; Prisma's own statements do not call `follow`. */
const LOOK_MS = 500

/** While the room on the disk is short the session of a PGlite is read-only: PostgreSQL itself refuses every write. */
export type WriteStop = {
  /** Whether writes are refused by now. */
  isOn: () => boolean
  /**
   * Updates the session to the state of the disk. For callers with exclusive use of the connection, outside a
   * transaction.
   */
  follow: () => Promise<void>
  /** The same for callers without exclusive use. */
  followBetween: () => Promise<void>
  end: () => void
}

export const createWriteStop = ({
  client,
  runSql,
  diskSpace,
}: {
  client: PGlite
  runSql: RunSql
  diskSpace: DiskSpace
}): WriteStop => {
  let isOn = false
  const follow = async (): Promise<void> => {
    const isShort = diskSpace.isShort()
    if (isShort === isOn) return
    // Gives old files of the log back, which may be what fills the disk.
    if (isShort) await runSql('CHECKPOINT', [])
    await runSql(`SET default_transaction_read_only = ${isShort ? 'on' : 'off'}`, [])
    isOn = isShort
  }
  const followBetween = async (): Promise<void> => {
    if (diskSpace.isShort() !== isOn) await client._runExclusiveTransaction(follow)
  }
  const timer = setInterval(() => {
    followBetween().catch(() => undefined)
  }, LOOK_MS)
  timer.unref()
  return { isOn: () => isOn, follow, followBetween, end: () => clearInterval(timer) }
}
