import 'server-only'
import type { Position } from '@/lib/schemas/agent/report'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import type { HistoryChange, HoldingChange } from './host-changes'
import type { Row } from './host-rows'
import type { LockedHost } from './locked-host'
import { pgRowColumns } from './pg-array'

/** What one report adds to the history of a host's pGPUs and guests. */
export type HistoryWrite = {
  host: LockedHost
  position: Position
  /** When the report counts in the history, in ms. */
  at: number
  changes: readonly HistoryChange[]
  holdings: readonly HoldingChange[]
}

/** Looked up within the statement; the function, which is slow and makes numbers, is called for what is new. */
const WRITE_PGPU_CHANGES = statement(`
INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT r.at, r.host_id,
  coalesce((SELECT a.id FROM history_address a WHERE a.address = r.address), number_address(r.address)),
  coalesce((SELECT p.id FROM pgpu_point p WHERE p.digest = r.digest), number_point(r.digest, r.type_id, r.type_name, r.model,
    r.framework, r.capacity, r.used, r.spare, r.orphan, r.is_returning, r.creatable)),
  r.enrolment, r.boot, r.sequence
FROM (
  SELECT *, history_digest(ARRAY[type_id, type_name, model, framework, capacity::text, used::text, spare::text, orphan::text,
    is_returning::text, creatable::text]) AS digest
  FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::int[],
    $10::int[], $11::int[], $12::int[], $13::int[], $14::int[], $15::text[], $16::text[])
    AS t (host_id, enrolment, boot, sequence, at, address, type_id, framework, capacity, used, spare, orphan, is_returning,
      creatable, type_name, model) OFFSET 0) r`)

const WRITE_GUEST_CHANGES = statement(`
INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT r.at, r.uuid, r.host_id,
  coalesce((SELECT o.id FROM guest_owner o WHERE o.digest = r.owner),
    number_owner(r.owner, r.flavor_name, r.project_id, r.project_name)),
  coalesce((SELECT v.id FROM held_vgpus v WHERE v.digest = r.held),
    number_held(r.held, r.addresses::text[], r.type_ids::text[])),
  r.enrolment, r.boot, r.sequence, r.name
FROM (
  SELECT *, history_digest(ARRAY[flavor_name, project_id, project_name]) AS owner,
    history_digest(ARRAY[addresses::text[]::text, type_ids::text[]::text]) AS held
  FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::timestamptz[], $6::uuid[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[])
    AS t (host_id, enrolment, boot, sequence, at, uuid, name, flavor_name, project_id, project_name, addresses, type_ids)
  OFFSET 0) r`)

/** Cells of a report's place in its host's history. */
const PLACE_CELLS = 5
const POINT_CELLS = 11
const HOLDING_CELLS = 7

const placeOf = ({ host, position, at }: HistoryWrite): Row => [
  host.id,
  host.enrolment,
  position.boot,
  position.sequence,
  new Date(at).toISOString(),
]

/** Rows of [host, enrolment, boot, sequence, at], and a point, which begins with the pGPU's address. */
export const writePgpuChanges = (query: Query, rows: readonly Row[]): Promise<unknown> =>
  query(WRITE_PGPU_CHANGES, pgRowColumns(rows, PLACE_CELLS + POINT_CELLS))

/** Rows of [host, enrolment, boot, sequence, at] and a row of holdings. */
export const writeGuestChanges = (query: Query, rows: readonly Row[]): Promise<unknown> =>
  query(WRITE_GUEST_CHANGES, pgRowColumns(rows, PLACE_CELLS + HOLDING_CELLS))

/** Adds to the history; a position is applied once, so no row can be there already. */
export const writeHistory = async (query: Query, writes: readonly HistoryWrite[]): Promise<void> => {
  const points: Row[] = []
  const holdings: Row[] = []
  for (const write of writes) {
    if (write.changes.length === 0 && write.holdings.length === 0) continue
    const place = placeOf(write)
    for (const point of write.changes) points.push([...place, ...point])
    for (const holding of write.holdings) holdings.push([...place, ...holding])
  }
  if (points.length > 0) await writePgpuChanges(query, points)
  if (holdings.length > 0) await writeGuestChanges(query, holdings)
}
