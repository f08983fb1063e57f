import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'
import { HOST_FACTS } from './host-rows'
import type { HostState } from './host-state'
import { type Cell, pgArray } from './pg-array'
import { GUEST, GUEST_HOLDING, MDEV, PGPU, type Table } from './tables'

const namesOf = ({ columns }: Table, alias: string): string =>
  columns.map(([name]) => `${alias}.${name}`).join(', ')

const rowsBelow = (table: Table): string =>
  `(SELECT json_agg(json_build_array(${namesOf(table, 'r')}))::text FROM ${table.name} r WHERE r.host_id = h.id)`

const LOAD = `
SELECT h.id, h.applied_reports AS version,
  coalesce((SELECT i.version FROM host_inventory i WHERE i.host_id = h.id), h.applied_reports) AS "fullVersion",
  json_build_array(${HOST_FACTS.map((name) => (name === 'findings' ? 'h.findings::text' : `h.${name}`)).join(', ')})::text AS facts,
  ${rowsBelow(PGPU)} AS pgpus,
  (SELECT json_agg(json_build_array(p.address, t.type_id, p.framework, p.capacity, p.used, p.spare, p.orphan,
     p."returning", p.creatable))::text
   FROM pgpu p LEFT JOIN vgpu_type t ON t.id = p.type_id WHERE p.host_id = h.id) AS history,
  (SELECT json_agg(json_build_array(p.address, v.address, v.driver, v.current_type))::text
   FROM virtual_function v JOIN pgpu p ON p.id = v.pgpu_id WHERE p.host_id = h.id) AS "virtualFunctions",
  ${rowsBelow(MDEV)} AS mdevs,
  ${rowsBelow(GUEST)} AS guests,
  ${rowsBelow(GUEST_HOLDING)} AS holdings,
  (SELECT json_agg(json_build_array(r.source, r.code, r.message) ORDER BY r.id)::text
   FROM problem r WHERE r.host_id = h.id) AS problems
FROM host h WHERE h.id = ANY($1::int[])`

const cellSchema: z.ZodType<Cell> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
])
const rowsSchema = z.array(z.array(cellSchema))

type Row = { id: number; version: number; fullVersion: number } & Record<
  'facts' | 'pgpus' | 'history' | 'virtualFunctions' | 'mdevs' | 'guests' | 'holdings' | 'problems',
  string | null
>

/** json_agg gives null for no rows. */
const readRows = (text: string | null): Cell[][] => rowsSchema.parse(JSON.parse(text ?? '[]'))

/** jsonb comes back in its own spelling. */
const readFacts = (text: string | null): Cell[] => {
  const facts = z.array(cellSchema).parse(JSON.parse(text ?? '[]'))
  return facts.map((cell, place) =>
    HOST_FACTS[place] === 'findings' && typeof cell === 'string' ? JSON.stringify(JSON.parse(cell)) : cell,
  )
}

const readState = (row: Row): HostState => ({
  version: row.version,
  fullVersion: row.fullVersion,
  rows: {
    facts: readFacts(row.facts),
    pgpus: readRows(row.pgpus),
    history: readRows(row.history),
    virtualFunctions: readRows(row.virtualFunctions),
    mdevs: readRows(row.mdevs),
    guests: readRows(row.guests),
    holdings: readRows(row.holdings),
    problems: readRows(row.problems),
  },
})

/** What is stored below the given hosts, which the transaction must hold locked. */
export const loadHostStates = async (
  query: Query,
  hostIds: readonly number[],
): Promise<Map<number, HostState>> => {
  if (hostIds.length === 0) return new Map()
  const rows = await query<Row>(LOAD, [pgArray(hostIds)])
  return new Map(rows.map((row) => [row.id, readState(row)]))
}
