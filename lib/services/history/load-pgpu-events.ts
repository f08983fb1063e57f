import 'server-only'
import type { HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/services/report/pg-array'

/**
 * One row for each pGPU: thousands of changes are quicker on their way as a text of `ms point` than as rows, and their points
 * are few.
 */
const packed = (changes: string): string => `
SELECT h.host_id AS "hostId", a.address, h.changes FROM (
  SELECT c.host_id, c.address_id, string_agg((date_part('epoch', c.at) * 1000)::bigint || ' ' || c.point_id, ','
    ORDER BY c.at, c.enrolment, c.boot, c.sequence) AS changes
  FROM (${changes}) c GROUP BY c.host_id, c.address_id) h
JOIN history_address a ON a.id = h.address_id ORDER BY 1, 2`

const POINTS = `
SELECT id, model, type_id AS "typeId", type_name AS "typeName", framework, capacity, used, spare, orphan
FROM pgpu_point WHERE id = ANY($1::int[])`

type PackedRow = { hostId: number; address: string; changes: string }
type PointRow = Omit<PgpuPoint, 'framework'> & { id: number; framework: string | null }

const loadPoints = async (
  query: Query,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PgpuPoint | null>> => {
  if (ids.size === 0) return new Map()
  const rows = await query<PointRow>(POINTS, [pgArray([...ids])])
  return new Map(
    rows.map(({ id, framework, ...point }) => [id, framework === null ? null : { ...point, framework }]),
  )
}

/** The rows of `pgpu_change` that a statement answers, as events in the order of each pGPU; equal points are the same object. */
export const loadPgpuEvents = async (
  query: Query,
  changes: string,
  params: readonly unknown[],
): Promise<HistoryEvent[]> => {
  const rows = await query<PackedRow>(packed(changes), params)
  const told = rows.flatMap(({ hostId, address, changes: text }) =>
    text.split(',').map((change) => {
      const space = change.indexOf(' ')
      return { hostId, address, at: Number(change.slice(0, space)), id: Number(change.slice(space + 1)) }
    }),
  )
  const points = await loadPoints(query, new Set(told.map(({ id }) => id)))
  return told.map(({ id, ...event }) => ({ kind: 'pgpu', ...event, point: points.get(id) ?? null }))
}
