import 'server-only'
import type { Database } from '@/lib/server/database/database'
import { type RollUpMemory, rollUpCloud } from './roll-up-cloud'

const DAY_MS = 86_400_000

// SQL: minima over the history in one statement, and DATE columns compared as text.
/** A day of a month's row stays when its changes are deleted; the slots after it are rebuilt. */
const FORGET_HOURS = `DELETE FROM capacity_roll_up WHERE cloud_id = $1 AND step = 'hour' AND begin >= $2::date`
const FORGET_DAYS = `DELETE FROM capacity_roll_up WHERE cloud_id = $1 AND step = 'day' AND begin >= $2::date`
const GO_BACK = `
UPDATE roll_up SET version = version + 1, standing = NULL, until = greatest($2::timestamptz, least(until,
  (SELECT min(c.at) FROM pgpu_change c JOIN host h ON h.id = c.host_id WHERE h.cloud_id = $1),
  (SELECT min(w.since) FROM host_watch w JOIN host h ON h.id = w.host_id WHERE h.cloud_id = $1)))
WHERE cloud_id = $1`

/**
 * Deletes a cloud's roll-ups as far as its changes are kept (`changesSince`), so that the background work rebuilds them.
 * Older ones stay, because their source is deleted.
 */
export const rebuildRollUps = (
  database: Database,
  { cloudId, changesSince }: { cloudId: number; changesSince: Date },
): Promise<void> =>
  database.transaction(async ({ query }) => {
    const day = new Date(Math.ceil(changesSince.getTime() / DAY_MS) * DAY_MS)
    // Of the month in which the changes begin the days before them are kept, and the others are written over.
    const month = new Date(
      Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + (day.getUTCDate() === 1 ? 0 : 1)),
    )
    await query(GO_BACK, [cloudId, day])
    await query(FORGET_HOURS, [cloudId, day.toISOString().slice(0, 10)])
    await query(FORGET_DAYS, [cloudId, month.toISOString().slice(0, 10)])
  })

/** Rebuilds the roll-ups of every cloud up to their previous end; returns how many clouds have any. */
export const rebuildAndRollUp = async (
  database: Database,
  retention: { changesSince: Date; hoursSince: Date },
): Promise<number> => {
  const clouds = await database.prisma.rollUp.findMany({
    select: { cloudId: true, until: true },
    orderBy: { cloudId: 'asc' },
  })
  for (const { cloudId, until } of clouds) {
    await rebuildRollUps(database, { cloudId, changesSince: retention.changesSince })
    const memory: RollUpMemory = new Map()
    await rollUpCloud(database, { cloudId, horizon: until, ...retention }, { memory })
  }
  return clouds.length
}
