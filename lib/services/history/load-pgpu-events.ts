import 'server-only'
import * as z from 'zod'
import type { HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bytesColumn } from '@/lib/server/database/row'
import { statement } from '@/lib/server/database/statement'

// SQL: changes are packed into bytes by the database, and points are read for a list of numbers.
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

const pointRow = z.object({
  id: z.int(),
  model: z.string().nullable(),
  typeId: z.string().nullable(),
  typeName: z.string().nullable(),
  framework: z.string().nullable(),
  capacity: z.int().nullable(),
  used: z.int().nullable(),
  spare: z.int().nullable(),
  orphan: z.int().nullable(),
})

/** A pGPU with its changes as bytes. */
const packedRow = z.object({ hostId: z.int(), address: z.string(), changes: bytesColumn })
type PackedRow = z.infer<typeof packedRow>

const loadPoints = async (
  query: Query,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PgpuPoint | null>> => {
  if (ids.size === 0) return new Map()
  const rows = await query(POINTS, [pgArray([...ids])], pointRow)
  return new Map(
    rows.map(({ id, framework, ...point }) => [id, framework === null ? null : { ...point, framework }]),
  )
}

/** Calls back for each change in the bytes: its time, in ms since 1970, and the number of its point. */
const eachChange = (bytes: Uint8Array, visit: (at: number, id: number) => void): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0; start < bytes.byteLength; start += CHANGE_BYTES) {
    const microseconds = view.getInt32(start) * 2 ** 32 + view.getUint32(start + 4)
    visit(EPOCH_MS + microseconds / 1000, view.getInt32(start + 8))
  }
}

/** The changes of pGPUs as events, one pGPU after the other; equal points are the same object. */
export const eventsOfChanges = async (
  query: Query,
  packed: readonly PackedRow[],
): Promise<HistoryEvent[]> => {
  const ids = new Set<number>()
  for (const { changes } of packed) eachChange(changes, (_at, id) => ids.add(id))
  const points = await loadPoints(query, ids)
  const events: HistoryEvent[] = []
  for (const { hostId, address, changes } of packed)
    eachChange(changes, (at, id) => {
      events.push({ kind: 'pgpu', hostId, address, at, point: points.get(id) ?? null })
    })
  return events
}

/** The rows of `pgpu_change` that a statement answers, as events in the order of each pGPU; equal points are the same object. */
export const loadPgpuEvents = async (
  query: Query,
  changes: string,
  params: readonly unknown[],
): Promise<HistoryEvent[]> => eventsOfChanges(query, await query(packed(changes), params, packedRow))
