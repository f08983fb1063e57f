import 'server-only'
import type { Position } from '@/lib/schemas/agent/report'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import type { NumberedRows } from './history-numbers'
import type { HistoryChange, HoldingChange } from './host-changes'
import type { Row } from './host-rows'
import type { LockedHost } from './locked-host'
import { ADDRESS, HELD, OWNER, POINT } from './numbered-cells'
import { columnArrays, columnNames, moment, momentOf, pgColumns, pgRowColumns } from './pg-array'

/** What one report adds to the history of a host's pGPUs and guests. */
export type HistoryWrite = {
  cloudId: number
  host: LockedHost
  position: Position
  /** When the report counts in the history, in ms. */
  at: number
  changes: readonly HistoryChange[]
  holdings: readonly HoldingChange[]
}

const PLACE = [
  ['host_id', 'int'],
  ['enrolment', 'int'],
  ['boot', 'int'],
  ['sequence', 'int'],
  ['at', 'bigint'],
] as const
const GUEST = [
  ['uuid', 'uuid'],
  ['name', 'text'],
] as const

const POINT_COLUMNS = [...PLACE, ...ADDRESS.columns, ...POINT.columns]
const WRITE_PGPU_CHANGES = statement(`
INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT ${momentOf('r.at')}, r.host_id, ${ADDRESS.number('r.address')}, ${POINT.number('r.point')}, r.enrolment, r.boot, r.sequence
FROM (SELECT *, ${POINT.digest} AS point
  FROM unnest(${columnArrays(POINT_COLUMNS)}) AS t (${columnNames(POINT_COLUMNS)}) OFFSET 0) r`)

const HOLDING_COLUMNS = [...PLACE, ...GUEST, ...OWNER.columns, ...HELD.columns]
const WRITE_GUEST_CHANGES = statement(`
INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT ${momentOf('r.at')}, r.uuid, r.host_id, ${OWNER.number('r.owner')}, ${HELD.number('r.held')}, r.enrolment, r.boot,
  r.sequence, r.name
FROM (SELECT *, ${OWNER.digest} AS owner, ${HELD.digest} AS held
  FROM unnest(${columnArrays(HOLDING_COLUMNS)}) AS t (${columnNames(HOLDING_COLUMNS)}) OFFSET 0) r`)

/** A number as the console knows it; the transaction ends with NUMBER_GONE where writers do not find it any more. */
const asKnown = (table: string, column: string): string =>
  `coalesce((SELECT k.id FROM ${table} k WHERE k.id = r.${column} AND k.retired_before IS NULL), history_number_gone(r.${column}))`

/** What the database says when a number of the history is not there any more. */
export const NUMBER_GONE = 'SB002'

const NUMBERED_POINT_COLUMNS = [...PLACE, ['address_id', 'int'], ['point_id', 'int']] as const
const WRITE_NUMBERED_POINTS = statement(`
INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT ${momentOf('r.at')}, r.host_id,
  coalesce((SELECT a.id FROM history_address a WHERE a.id = r.address_id), history_number_gone(r.address_id)),
  ${asKnown('pgpu_point', 'point_id')}, r.enrolment, r.boot, r.sequence
FROM unnest(${columnArrays(NUMBERED_POINT_COLUMNS)}) AS r (${columnNames(NUMBERED_POINT_COLUMNS)})`)

const NUMBERED_HOLDING_COLUMNS = [...PLACE, ...GUEST, ['owner_id', 'int'], ['held_id', 'int']] as const
const WRITE_NUMBERED_HOLDINGS = statement(`
INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT ${momentOf('r.at')}, r.uuid, r.host_id, ${asKnown('guest_owner', 'owner_id')}, ${asKnown('held_vgpus', 'held_id')},
  r.enrolment, r.boot, r.sequence, r.name
FROM unnest(${columnArrays(NUMBERED_HOLDING_COLUMNS)}) AS r (${columnNames(NUMBERED_HOLDING_COLUMNS)})`)

// One row for each cloud of a group in place of what the triggers of the history find out with each statement.
const MARK = statement(`
INSERT INTO roll_up_mark (cloud_id, at)
SELECT r.cloud_id, ${momentOf('r.at')}
FROM (SELECT set_config('sliceboard.marked', 'on', true)) AS told, unnest($1::int[], $2::bigint[]) AS r (cloud_id, at)`)

/** A report's place in its host's history: [host, enrolment, boot, sequence, at]. */
export const placeOf = ({ host, position, at }: Pick<HistoryWrite, 'host' | 'position' | 'at'>): Row => [
  host.id,
  host.enrolment,
  position.boot,
  position.sequence,
  moment(at),
]

/** Rows of a report's place and a point, which begins with the pGPU's address. */
export const writePgpuChanges = async (query: Query, rows: readonly Row[]): Promise<void> => {
  if (rows.length > 0) await query(WRITE_PGPU_CHANGES, pgRowColumns(rows, POINT_COLUMNS.length))
}

/** Rows of a report's place and a row of holdings. */
export const writeGuestChanges = async (query: Query, rows: readonly Row[]): Promise<void> => {
  if (rows.length > 0) await query(WRITE_GUEST_CHANGES, pgRowColumns(rows, HOLDING_COLUMNS.length))
}

/** Adds to the history; a position is applied once, so no row can be there already. */
export const writeHistory = async (query: Query, writes: readonly HistoryWrite[]): Promise<void> => {
  const points: Row[] = []
  const holdings: Row[] = []
  for (const write of writes) {
    const place = placeOf(write)
    for (const point of write.changes) points.push([...place, ...point])
    for (const holding of write.holdings) holdings.push([...place, ...holding])
  }
  await writePgpuChanges(query, points)
  await writeGuestChanges(query, holdings)
}

/** The earliest moment of each cloud's rows, in ms. */
const firstMoments = (writes: readonly HistoryWrite[]): Map<number, number> => {
  const first = new Map<number, number>()
  for (const { cloudId, at, changes, holdings } of writes) {
    if (changes.length === 0 && holdings.length === 0) continue
    first.set(cloudId, Math.min(at, first.get(cloudId) ?? at))
  }
  return first
}

/** The same in a transaction that is sent in one go, with numbers as this console knows them. */
export const writeNumberedHistory = async (
  query: Query,
  { points, holdings }: NumberedRows,
  writes: readonly HistoryWrite[],
): Promise<void> => {
  if (points.length === 0 && holdings.length === 0) return
  const marks = [...firstMoments(writes)]
  await query(MARK, pgColumns(marks, [([cloudId]) => cloudId, ([, at]) => moment(at)]))
  if (points.length > 0)
    await query(WRITE_NUMBERED_POINTS, pgRowColumns(points, NUMBERED_POINT_COLUMNS.length))
  if (holdings.length > 0)
    await query(WRITE_NUMBERED_HOLDINGS, pgRowColumns(holdings, NUMBERED_HOLDING_COLUMNS.length))
}
