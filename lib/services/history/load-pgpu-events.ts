import 'server-only'
import type { HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/services/report/pg-array'

/** A change as bytes, of which thousands are quicker on their way than rows: when (us since 2000), then the number of its point. */
const CHANGE = 'timestamptz_send(c.at) || int4send(c.point_id)'
const CHANGE_BYTES = 12
const EPOCH_MS = Date.UTC(2000, 0)
const ORDER = ['c.at', 'c.enrolment', 'c.boot', 'c.sequence']
const NEWEST_FIRST = ORDER.map((name) => `${name} DESC`).join(', ')

/** One row for each pGPU. */
const packed = (changes: string): string => `
SELECT h.host_id AS "hostId", a.address, h.changes FROM (
  SELECT c.host_id, c.address_id, string_agg(${CHANGE}, ''::bytea ORDER BY ${ORDER.join(', ')}) AS changes
  FROM (${changes}) c GROUP BY c.host_id, c.address_id) h
JOIN history_address a ON a.id = h.address_id ORDER BY 1, 2`

/** What changed from $2 on and before $3, behind what each pGPU said last before. */
const STORY = `
WITH within AS MATERIALIZED (
  SELECT c.host_id, c.address_id, string_agg(${CHANGE}, ''::bytea ORDER BY ${ORDER.join(', ')}) AS changes
  FROM pgpu_change c WHERE c.host_id = ANY($1::int[]) AND c.at >= $2::timestamptz AND c.at < $3::timestamptz
  GROUP BY c.host_id, c.address_id
), subject AS (
  SELECT s.host_id, a.id AS address_id FROM pgpu s JOIN history_address a ON a.address = s.address
  WHERE s.host_id = ANY($1::int[])
  UNION SELECT host_id, address_id FROM within
  UNION SELECT host_id, address_id FROM pgpu_change WHERE host_id = ANY($1::int[]) AND at >= $3::timestamptz
)
SELECT s.host_id AS "hostId", a.address, coalesce(last.change, ''::bytea) || coalesce(w.changes, ''::bytea) AS changes
FROM subject s JOIN history_address a ON a.id = s.address_id
LEFT JOIN within w ON w.host_id = s.host_id AND w.address_id = s.address_id
LEFT JOIN LATERAL (
  SELECT ${CHANGE} AS change FROM pgpu_change c
  WHERE c.host_id = s.host_id AND c.address_id = s.address_id AND c.at < $2::timestamptz
  ORDER BY ${NEWEST_FIRST} LIMIT 1) last ON true
ORDER BY 1, 2`

const POINTS = `
SELECT id, model, type_id AS "typeId", type_name AS "typeName", framework, capacity, used, spare, orphan
FROM pgpu_point WHERE id = ANY($1::int[])`

type PackedRow = { hostId: number; address: string; changes: Uint8Array }
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

const unpackChanges = (bytes: Uint8Array): { at: number; id: number }[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / CHANGE_BYTES }, (_, place) => {
    const start = place * CHANGE_BYTES
    const microseconds = view.getInt32(start) * 2 ** 32 + view.getUint32(start + 4)
    return { at: EPOCH_MS + microseconds / 1000, id: view.getInt32(start + 8) }
  })
}

const loadPacked = async (query: Query, sql: string, params: readonly unknown[]): Promise<HistoryEvent[]> => {
  const rows = await query<PackedRow>(sql, params)
  const told = rows.map(({ changes, ...pgpu }) => ({ pgpu, changes: unpackChanges(changes) }))
  const points = await loadPoints(query, new Set(told.flatMap(({ changes }) => changes.map(({ id }) => id))))
  return told.flatMap(({ pgpu: { hostId, address }, changes }) =>
    changes.map(({ at, id }): HistoryEvent => {
      return { kind: 'pgpu', hostId, address, at, point: points.get(id) ?? null }
    }),
  )
}

/** The rows of `pgpu_change` that a statement answers, as events in the order of each pGPU; equal points are the same object. */
export const loadPgpuEvents = (
  query: Query,
  changes: string,
  params: readonly unknown[],
): Promise<HistoryEvent[]> => loadPacked(query, packed(changes), params)

/** What each pGPU of the hosts said last before `from`, and what changed on it from then on and before `until`. */
export const loadPgpuStory = (
  query: Query,
  { hostIds, from, until }: { hostIds: readonly number[]; from: Date; until: Date },
): Promise<HistoryEvent[]> => loadPacked(query, STORY, [pgArray(hostIds), from, until])
