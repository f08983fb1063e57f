import type { Query } from '@/lib/server/database/database'
import type { Cell } from '@/lib/server/database/pg-array'
import type { PastPoint, PastWord } from '@/simulator/past/types'
import { columnsOf, holderCells, type WrittenHost } from './write-host-pasts'

const PGPUS = `
INSERT INTO pgpu (host_id, address, model, framework, capacity, used, spare, orphan, "returning", creatable)
SELECT r.* FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::int[], $8::int[],
  $9::int[], $10::int[]) AS r`

const GUESTS = `
INSERT INTO guest (host_id, uuid, name, server_name, project_id, project_name, pgpu_addresses)
SELECT a, b, c, c, e, f, g::text[]
FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS r (a, b, c, d, e, f, g)`

const HOLDINGS = `
INSERT INTO guest_holding (host_id, uuid, name, flavor_name, project_id, project_name, addresses, type_ids)
SELECT a, b, c, d, e, f, g::text[], h::text[]
FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) AS r (a, b, c, d, e, f, g, h)`

const WORDS = `
INSERT INTO pgpu_cloud (host_id, address, advertised, advertised_used, stranded, service_state, aggregates, stranded_because, traits)
SELECT a, b, c, d, e, f, g::text[], h, '{}'::text[]
FROM unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[]) AS r (a, b, c, d, e, f, g, h)`

const newest = <Row extends { address: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.address, row])).values(),
]

const pgpuCells = (point: PastPoint): Cell[] => {
  const { address, model, framework, capacity, used, spare, orphan, returning, creatable } = point
  return [address, model, framework, capacity, used, spare, orphan, returning, creatable]
}

const wordCells = (word: PastWord): Cell[] => {
  const { address, advertised, advertisedUsed, stranded, serviceState, aggregates, because } = word
  return [address, advertised, advertisedUsed, stranded, serviceState, aggregates, because]
}

/**
 * The state at the end of the past, as far as the history depends on it: a subject that existed exists now or has a later
 * row. The first reports complete the rest.
 */
export const writePresent = async (query: Query, hosts: readonly WrittenHost[]): Promise<void> => {
  const rowsOf = (cellsOf: (written: WrittenHost['host']) => Cell[][]): Cell[][] =>
    hosts.flatMap(({ id, host }) => cellsOf(host).map((cells) => [id, ...cells]))
  const held = rowsOf((host) => host.held.map(holderCells))
  const write = (sql: string, rows: readonly (readonly Cell[])[], width: number) =>
    query(sql, columnsOf(rows, width))
  await write(
    PGPUS,
    rowsOf(({ points }) => newest(points).map(pgpuCells)),
    10,
  )
  // A row of holdings without the types of what is held.
  await write(
    GUESTS,
    held.map((cells) => cells.slice(0, -1)),
    7,
  )
  await write(HOLDINGS, held, 8)
  await write(
    WORDS,
    rowsOf(({ words }) => newest(words).map(wordCells)),
    8,
  )
}
