import 'server-only'
import * as z from 'zod'
import type { Connection } from '@/lib/server/database/database'

// SQL: a window over the steps of several changes, with medians.
/** A step took from the end of the one before it to its own end. Only the first steps of large changes are read. */
const ESTIMATE = `
WITH recent AS (
  SELECT id, started_at FROM change
  WHERE cloud_id = $1 AND NOT is_by_hand AND started_at IS NOT NULL ORDER BY started_at DESC LIMIT 10),
took AS (
  SELECT s.body->'task'->>'kind' AS kind,
    extract(epoch FROM s.changed_at - coalesce(lag(s.changed_at) OVER w, recent.started_at)) AS seconds
  FROM change_step s JOIN recent ON recent.id = s.change_id
  WHERE s.state = 'done' AND s.position < 200 AND s.changed_at IS NOT NULL
  WINDOW w AS (PARTITION BY s.change_id ORDER BY s.changed_at, s.position)),
typical AS (
  SELECT kind, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS seconds FROM took WHERE seconds >= 0 GROUP BY kind)
SELECT sum(t.seconds)::float8 AS seconds, (count(*) FILTER (WHERE t.seconds IS NULL))::int AS unknown
FROM change_step s LEFT JOIN typical t ON t.kind = s.body->'task'->>'kind'
WHERE s.change_id = $2 AND s.state IN ('pending', 'running', 'waiting', 'blocked')`

const estimateRow = z.object({ seconds: z.number().nullable(), unknown: z.int() })

/**
 * Seconds that the steps that are left will take, by the median of steps of their kinds in this and the last changes of the
 * cloud. Null: no step is left, or one is of a kind that has no duration yet.
 */
export const estimateRemaining = async (
  { query }: Pick<Connection, 'query'>,
  { cloudId, changeId }: { cloudId: number; changeId: number },
): Promise<number | null> => {
  const [row] = await query(ESTIMATE, [cloudId, changeId], estimateRow)
  return row === undefined || row.unknown > 0 || row.seconds === null ? null : Math.round(row.seconds)
}
