import 'server-only'
import type { Query } from '@/lib/server/database/database'

// SQL: all hosts in one statement, with a conditional upsert.
/**
 * Reports and heartbeats update only the host's own row. This keeps a row of the current interval, at position 0, which
 * records since when there was data. Seldom, since roll-ups read the host's row too.
 */
const BRING_UP = `
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until)
SELECT h.id, 0, 0, 0, h.watched_since, h.watched_at FROM host h
WHERE h.watched_at > h.watched_since AND NOT EXISTS (
  SELECT 1 FROM host_watch w WHERE w.host_id = h.id AND w.since = h.watched_since
    AND w.until >= h.watched_at - $1 * interval '1 millisecond')
ON CONFLICT (host_id, since, enrolment, boot, sequence) DO UPDATE SET until = excluded.until
WHERE host_watch.until < excluded.until`

/** The interval has ended since, and is now stored in its final row. */
const TAKE_OVER = `
DELETE FROM host_watch w USING host h, host_watch ended
WHERE w.boot = 0 AND w.enrolment = 0 AND h.id = w.host_id AND h.watched_since IS DISTINCT FROM w.since
  AND ended.host_id = w.host_id AND ended.since = w.since AND ended.enrolment > 0 AND ended.until >= w.until`

const LAG_MS = 10 * 60_000

export const bringWatchesUp = async (query: Query, { lagMs = LAG_MS } = {}): Promise<void> => {
  await query(BRING_UP, [lagMs])
  await query(TAKE_OVER)
}
