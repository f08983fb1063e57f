import 'server-only'
import type { PGlite } from '@electric-sql/pglite'
import type { DiskRoom } from './disk-room'
import type { RunSql } from './row'

/** Where nobody asks the database anything, nobody writes; Prisma's own statements pass by `follow`. */
const LOOK_MS = 500

/** While the room on the disk is short the session of a PGlite is read-only: PostgreSQL itself refuses every write. */
export type WriteStop = {
  /** Whether writes are refused by now. */
  isOn: () => boolean
  /** Brings the session in line with the disk. For whoever has the connection to himself, outside a transaction. */
  follow: () => Promise<void>
  /** The same for who has not. */
  followBetween: () => Promise<void>
  end: () => void
}

export const createWriteStop = ({
  client,
  runSql,
  room,
}: {
  client: PGlite
  runSql: RunSql
  room: DiskRoom
}): WriteStop => {
  let isOn = false
  const follow = async (): Promise<void> => {
    const isShort = room.isShort()
    if (isShort === isOn) return
    // Gives old files of the log back, which may be what fills the disk.
    if (isShort) await runSql('CHECKPOINT', [])
    await runSql(`SET default_transaction_read_only = ${isShort ? 'on' : 'off'}`, [])
    isOn = isShort
  }
  const followBetween = async (): Promise<void> => {
    if (room.isShort() !== isOn) await client._runExclusiveTransaction(follow)
  }
  const timer = setInterval(() => {
    followBetween().catch(() => undefined)
  }, LOOK_MS)
  timer.unref()
  return { isOn: () => isOn, follow, followBetween, end: () => clearInterval(timer) }
}
