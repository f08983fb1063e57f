import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { columnArrays, columnNames, pgArray, pgColumns, pgRowColumns } from '@/lib/server/database/pg-array'
import { type Statement, statement } from '@/lib/server/database/statement'
import type { HostPlan, TableChanges } from './host-changes'
import type { Row, TypeBook } from './host-rows'

// SQL: bulk inserts, updates and deletes with unnest, made from the columns of each table.
/** A column, the SQL type of its cells, and its value as SQL over the row `r` when that is not the cell itself. */
type Column = readonly [name: string, type: 'int' | 'text' | 'text[]', value?: string]

/** What a report rewrites below its host. Rows are lists of cells in the order of `columns`; the first one is the key. */
type Table = { name: string; columns: readonly Column[] }

const idOf = (table: string, cell: string): string => `(SELECT k.id FROM ${table} k WHERE k.hash = r.${cell})`

const PGPU: Table = {
  name: 'pgpu',
  columns: [
    ['address', 'text'],
    ['model', 'text'],
    ['framework', 'text'],
    ['numa_node', 'int'],
    ['framebuffer_mib', 'int'],
    ['type_id', 'text', idOf('vgpu_type', 'type_id')],
    ['type_set_id', 'text', idOf('vgpu_type_set', 'type_set_id')],
    ['capacity', 'int'],
    ['used', 'int'],
    ['spare', 'int'],
    ['orphan', 'int'],
    ['"returning"', 'int'],
    ['creatable', 'int'],
    ['finding_code', 'text'],
    ['finding_severity', 'text'],
    ['finding', 'text'],
    ['unknown_reason', 'text'],
  ],
}

export const GUEST: Table = {
  name: 'guest',
  columns: [
    ['uuid', 'text'],
    ['name', 'text'],
    ['server_name', 'text'],
    ['project_id', 'text'],
    ['project_name', 'text'],
    ['user_name', 'text'],
    ['pgpu_addresses', 'text[]'],
  ],
}

export const GUEST_HOLDING: Table = {
  name: 'guest_holding',
  columns: [
    ['uuid', 'text'],
    ['name', 'text'],
    ['flavor_name', 'text'],
    ['project_id', 'text'],
    ['project_name', 'text'],
    ['addresses', 'text[]'],
    ['type_ids', 'text[]'],
  ],
}

const cellText = ([name, type]: Column): string => {
  if (type === 'text') return `r.${name}`
  return type === 'int' ? `r.${name}::text` : `array_to_json(r.${name})::text`
}

/** A JSON list of rows with all cells as texts: a third of the time of json_build_array, which looks up the type of each cell. */
const jsonRows = (cells: readonly string[]): string =>
  `array_to_json(array_agg(ARRAY[${cells.join(', ')}]))::text`

/** The rows of a table below the host `h`, as `jsonRows`. */
export const selectRows = ({ name, columns }: Table): string =>
  `(SELECT ${jsonRows(columns.map(cellText))} FROM ${name} r WHERE r.host_id = h.id)`

/** Of a pGPU the digests of its types instead of their ids; the text id of its type, which its point in the history has, follows. */
export const selectPgpus = (): string => {
  const DIGESTS: Readonly<Record<string, string>> = { type_id: 't.hash', type_set_id: 's.hash' }
  const cells = PGPU.columns.map((column) => DIGESTS[column[0]] ?? cellText(column))
  return `(SELECT ${jsonRows([...cells, 't.type_id'])}
   FROM pgpu r LEFT JOIN vgpu_type t ON t.id = r.type_id LEFT JOIN vgpu_type_set s ON s.id = r.type_set_id
   WHERE r.host_id = h.id)`
}

/** Lists are passed as text and cast. */
const source = (columns: readonly Column[]): string => {
  const cells = columns.map(([name, type]) => [name, type === 'text[]' ? 'text' : type] as const)
  const all = [['host_id', 'int'] as const, ...cells]
  return `unnest(${columnArrays(all)}) AS r (${columnNames(all)})`
}

const cellValue = ([name, type, value]: Column): string =>
  value ?? (type === 'text[]' ? `r.${name}::text[]` : `r.${name}`)

const statementsOf = ({ name, columns }: Table): { write: Statement; remove: Statement; width: number } => {
  const [key, ...others] = columns
  if (key === undefined) throw new Error('a table without columns')
  const assignments = others.map(([column]) => `${column} = excluded.${column}`).join(', ')
  return {
    write: statement(
      `INSERT INTO ${name} (host_id, ${columns.map(([column]) => column).join(', ')})
       SELECT r.host_id, ${columns.map(cellValue).join(', ')} FROM ${source(columns)}
       ON CONFLICT (host_id, ${key[0]}) DO UPDATE SET ${assignments}`,
    ),
    remove: statement(
      `DELETE FROM ${name} t USING ${source([key])} WHERE t.host_id = r.host_id AND t.${key[0]} = r.${key[0]}`,
    ),
    width: columns.length,
  }
}

const TABLES = [
  { part: 'pgpus', ...statementsOf(PGPU) },
  { part: 'guests', ...statementsOf(GUEST) },
  { part: 'holdings', ...statementsOf(GUEST_HOLDING) },
] as const satisfies readonly { part: keyof HostPlan; write: Statement; remove: Statement; width: number }[]

/** Writes the changed rows of all hosts of a group: at most two statements for each table. */
export const writeTables = async (query: Query, plans: readonly HostPlan[]): Promise<void> => {
  for (const { part, write, remove, width } of TABLES) {
    const run = async (sql: Statement, kind: keyof TableChanges, cells: number): Promise<void> => {
      const hostIds: number[] = []
      const rows: Row[] = []
      for (const { decision, [part]: changes } of plans)
        for (const row of changes[kind]) {
          hostIds.push(decision.host.id)
          rows.push(row)
        }
      if (rows.length > 0) await query(sql, [pgArray(hostIds), ...pgRowColumns(rows, cells)])
    }
    await run(remove, 'deleted', 1)
    await run(write, 'written', width)
  }
}

// In the order of the hash, so that two transactions that add the same rows do not wait for each other in a circle. What exists is
// not inserted, because each attempt takes a number from the sequence.
const ADD_TYPES = statement(`
INSERT INTO vgpu_type (hash, type_id, name, description, device_api)
SELECT n.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS n (hash, a, b, c, d)
WHERE NOT EXISTS (SELECT 1 FROM vgpu_type k WHERE k.hash = n.hash) ORDER BY n.hash ON CONFLICT (hash) DO NOTHING`)

const ADD_SETS = statement(`
INSERT INTO vgpu_type_set (hash, vgpu_type_ids)
SELECT n.hash, ARRAY(SELECT k.id FROM unnest(n.types::text[]) WITH ORDINALITY AS m (hash, place)
  JOIN vgpu_type k ON k.hash = m.hash ORDER BY m.place)
FROM unnest($1::text[], $2::text[]) AS n (hash, types)
WHERE NOT EXISTS (SELECT 1 FROM vgpu_type_set k WHERE k.hash = n.hash) ORDER BY n.hash ON CONFLICT (hash) DO NOTHING`)

/** Stores the vGPU types and type sets that are not stored yet: each once for the whole fleet, by the digest of its content. */
export const writeTypes = async (query: Query, books: readonly TypeBook[]): Promise<void> => {
  const types = new Map(books.flatMap((book) => [...book.types]))
  const sets = new Map(books.flatMap((book) => [...book.sets]))
  if (types.size > 0)
    await query(
      ADD_TYPES,
      pgColumns(
        [...types],
        [
          ([hash]) => hash,
          ([, { typeId }]) => typeId,
          ([, { name }]) => name,
          ([, { description }]) => description,
          ([, { deviceApi }]) => deviceApi,
        ],
      ),
    )
  if (sets.size > 0) await query(ADD_SETS, pgColumns([...sets], [([hash]) => hash, ([, list]) => list]))
}
