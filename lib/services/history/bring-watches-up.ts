import 'server-only'
import type { Query } from '@/lib/server/database/database'

/**
 * A heartbeat moves the host's row alone; this brings its newest stretch up to it, which marks what was not known to be watched
 * before. Seldom, since roll-ups look at the host's row too. Rows that the ingest holds are left for the next time: nobody waits.
 */
const BRING_UP = `
WITH late AS (
  SELECT w.host_id, w.since, w.enrolment, w.boot, w.sequence, h.watched_at FROM host_watch w
  JOIN host h ON h.id = w.host_id AND h.watched_since = w.since
  WHERE h.watched_at > w.until + $1 * interval '1 millisecond'
  FOR UPDATE OF w SKIP LOCKED
)
UPDATE host_watch w SET until = late.watched_at FROM late
WHERE w.host_id = late.host_id AND w.since = late.since AND w.enrolment = late.enrolment AND w.boot = late.boot
  AND w.sequence = late.sequence`

const LAG_MS = 10 * 60_000

export const bringWatchesUp = async (query: Query, { lagMs = LAG_MS } = {}): Promise<void> => {
  await query(BRING_UP, [lagMs])
}
