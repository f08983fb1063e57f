import 'server-only'
import type { Position } from '@/lib/schemas/agent/report'
import type { Query } from '@/lib/server/database/database'
import { columnArrays, columnNames, moment, momentOf, pgRowColumns } from '@/lib/server/database/pg-array'
import { statement } from '@/lib/server/database/statement'
import type { Row } from './host-rows'
import type { LockedHost } from './locked-host'

/** What one report adds to the history of a host's pGPUs and guests. */
export type HistoryWrite = {
  host: Pick<LockedHost, 'id' | 'enrolment'>
  position: Position
  /** When the report counts in the history, in ms. */
  at: number
  /** A pGPU's address and its point, or the address alone of a pGPU that is gone. */
  points: readonly Row[]
  /** What a guest holds from then on, as a row of its holdings. */
  holdings: readonly Row[]
}

// SQL: bulk inserts with unnest.
const POSITION = [
  ['host_id', 'int'],
  ['enrolment', 'int'],
  ['boot', 'int'],
  ['sequence', 'int'],
  ['at', 'bigint'],
] as const

const POINT_COLUMNS = [
  ...POSITION,
  ['address', 'text'],
  ['type_id', 'text'],
  ['framework', 'text'],
  ['capacity', 'int'],
  ['used', 'int'],
  ['spare', 'int'],
  ['orphan', 'int'],
  ['is_returning', 'int'],
  ['creatable', 'int'],
  ['type_name', 'text'],
  ['model', 'text'],
] as const

// What many rows repeat is stored once and named by number; the functions create the numbers of what is new.
const WRITE_PGPU_CHANGES = statement(`
INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT ${momentOf('r.at')}, r.host_id,
  coalesce((SELECT a.id FROM history_address a WHERE a.address = r.address), number_address(r.address)),
  coalesce((SELECT p.id FROM pgpu_point p WHERE p.digest = r.point), number_point(r.point, r.type_id, r.type_name, r.model,
    r.framework, r.capacity, r.used, r.spare, r.orphan, r.is_returning, r.creatable)),
  r.enrolment, r.boot, r.sequence
FROM (SELECT *, history_digest(ARRAY[type_id, type_name, model, framework, capacity::text, used::text, spare::text,
    orphan::text, is_returning::text, creatable::text]) AS point
  FROM unnest(${columnArrays(POINT_COLUMNS)}) AS t (${columnNames(POINT_COLUMNS)}) OFFSET 0) r`)

/** Lists are passed as text. */
const HOLDING_COLUMNS = [
  ...POSITION,
  ['uuid', 'uuid'],
  ['name', 'text'],
  ['flavor_name', 'text'],
  ['project_id', 'text'],
  ['project_name', 'text'],
  ['addresses', 'text'],
  ['type_ids', 'text'],
] as const

const WRITE_GUEST_CHANGES = statement(`
INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT ${momentOf('r.at')}, r.uuid, r.host_id,
  coalesce((SELECT o.id FROM guest_owner o WHERE o.digest = r.owner),
    number_owner(r.owner, r.flavor_name, r.project_id, r.project_name)),
  coalesce((SELECT v.id FROM held_vgpus v WHERE v.digest = r.held),
    number_held(r.held, r.addresses::text[], r.type_ids::text[])),
  r.enrolment, r.boot, r.sequence, r.name
FROM (SELECT *, history_digest(ARRAY[flavor_name, project_id, project_name]) AS owner,
    history_digest(ARRAY[addresses::text[]::text, type_ids::text[]::text]) AS held
  FROM unnest(${columnArrays(HOLDING_COLUMNS)}) AS t (${columnNames(HOLDING_COLUMNS)}) OFFSET 0) r`)

/** Rows of [host, enrolment, boot, sequence, at] and a point, which begins with the pGPU's address. */
export const writePgpuChanges = async (query: Query, rows: readonly Row[]): Promise<void> => {
  if (rows.length > 0) await query(WRITE_PGPU_CHANGES, pgRowColumns(rows, POINT_COLUMNS.length))
}

/** Rows of [host, enrolment, boot, sequence, at] and a row of holdings. */
export const writeGuestChanges = async (query: Query, rows: readonly Row[]): Promise<void> => {
  if (rows.length > 0) await query(WRITE_GUEST_CHANGES, pgRowColumns(rows, HOLDING_COLUMNS.length))
}

/** Adds to the history; a position is applied once, so no row can exist already. */
export const writeHistory = async (query: Query, writes: readonly HistoryWrite[]): Promise<void> => {
  const points: Row[] = []
  const holdings: Row[] = []
  for (const { host, position, at, ...rows } of writes) {
    const key = [host.id, host.enrolment, position.boot, position.sequence, moment(at)]
    for (const point of rows.points) points.push([...key, ...point])
    for (const holding of rows.holdings) holdings.push([...key, ...holding])
  }
  await writePgpuChanges(query, points)
  await writeGuestChanges(query, holdings)
}
