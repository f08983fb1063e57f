import 'server-only'
import type { HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import { pgArray } from '@/lib/services/report/pg-array'

/** A change as bytes, of which thousands are quicker on their way than rows: when (us since 2000), then the number of its point. */
const CHANGE = 'timestamptz_send(c.at) || int4send(c.point_id)'
const CHANGE_BYTES = 12
const EPOCH_MS = Date.UTC(2000, 0)
const ORDER = ['c.at', 'c.enrolment', 'c.boot', 'c.sequence']

/** One row for each pGPU. */
const packed = (changes: string): string => `
SELECT h.host_id AS "hostId", a.address, h.changes FROM (
  SELECT c.host_id, c.address_id, string_agg(${CHANGE}, ''::bytea ORDER BY ${ORDER.join(', ')}) AS changes
  FROM (${changes}) c GROUP BY c.host_id, c.address_id) h
JOIN history_address a ON a.id = h.address_id ORDER BY 1, 2`

const POINTS = statement(`
SELECT id, model, type_id AS "typeId", type_name AS "typeName", framework, capacity, used, spare, orphan
FROM pgpu_point WHERE id = ANY($1::int[])`)

type PackedRow = { hostId: number; address: string; changes: Uint8Array }
type PointRow = Omit<PgpuPoint, 'framework'> & { id: number; framework: string | null }

/** What the points with these numbers say; null: the pGPU is not there. */
export const loadPoints = async (
  query: Query,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PgpuPoint | null>> => {
  if (ids.size === 0) return new Map()
  const rows = await query<PointRow>(POINTS, [pgArray([...ids])])
  return new Map(
    rows.map(({ id, framework, ...point }) => [id, framework === null ? null : { ...point, framework }]),
  )
}

export type Change = { at: number; id: number }

/** Changes from their bytes, in ms since 1970 with the numbers of their points. */
export const unpackChanges = (bytes: Uint8Array = new Uint8Array()): Change[] => {
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
