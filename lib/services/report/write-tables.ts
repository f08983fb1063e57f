import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { type Statement, statement } from '@/lib/server/database/statement'
import type { TableChanges } from './host-changes'
import { type Cell, pgArray, pgColumn } from './pg-array'
import { GUEST, GUEST_HOLDING, MDEV, PGPU, type Table } from './tables'

/** Changes of one table for several hosts. */
type HostTableChanges = { hostId: number; changes: TableChanges }

type Column = readonly [name: string, type: string]
type Statements = Record<'insert' | 'update' | 'remove', Statement>

const arrayOf = (type: string): string => (type.endsWith('[]') ? 'text[]' : `${type}[]`)
const cast = ([name, type]: Column): string => (type.endsWith('[]') ? `r.${name}::${type}` : `r.${name}`)

const source = (columns: readonly Column[]): string => {
  const params = columns.map(([, type], place) => `$${place + 2}::${arrayOf(type)}`)
  return `unnest($1::int[], ${params.join(', ')}) AS r (host_id, ${columns.map(([name]) => name).join(', ')})`
}

const statementsOf = ({ name, columns }: Table): Statements => {
  const [key, ...others] = columns
  if (key === undefined) throw new Error('a table without columns')
  const names = columns.map(([column]) => column).join(', ')
  const values = columns.map(cast).join(', ')
  const assignments = others.map((column) => `${column[0]} = ${cast(column)}`).join(', ')
  const isSame = `t.host_id = r.host_id AND t.${key[0]} = r.${key[0]}`
  return {
    insert: statement(
      `INSERT INTO ${name} (host_id, ${names}) SELECT r.host_id, ${values} FROM ${source(columns)}`,
    ),
    update: statement(`UPDATE ${name} t SET ${assignments} FROM ${source(columns)} WHERE ${isSame}`),
    remove: statement(`DELETE FROM ${name} t USING ${source([key])} WHERE ${isSame}`),
  }
}

const VF_COLUMNS: readonly Column[] = [
  ['pgpu_address', 'text'],
  ['address', 'text'],
  ['driver', 'text'],
  ['current_type', 'int'],
]
const VF_PARENT = 'p.host_id = r.host_id AND p.address = r.pgpu_address'
const VF_SAME = `${VF_PARENT} AND t.pgpu_id = p.id AND t.address = r.address`

const VIRTUAL_FUNCTION: Statements = {
  insert: statement(`INSERT INTO virtual_function (pgpu_id, address, driver, current_type)
    SELECT p.id, r.address, r.driver, r.current_type FROM ${source(VF_COLUMNS)} JOIN pgpu p ON ${VF_PARENT}`),
  update: statement(`UPDATE virtual_function t SET driver = r.driver, current_type = r.current_type
    FROM ${source(VF_COLUMNS)}, pgpu p WHERE ${VF_SAME}`),
  remove: statement(
    `DELETE FROM virtual_function t USING ${source(VF_COLUMNS.slice(0, 2))}, pgpu p WHERE ${VF_SAME}`,
  ),
}

/** Rows of cells as one array parameter per column, the host's id first. */
const asColumns = (rows: readonly { hostId: number; cells: readonly Cell[] }[]): string[] => {
  const width = rows[0]?.cells.length ?? 0
  const hostIds = pgArray(rows.map(({ hostId }) => hostId))
  const cells = Array.from({ length: width }, (_, place) =>
    pgColumn(rows.map((row) => row.cells[place] ?? null)),
  )
  return [hostIds, ...cells]
}

const collect = (
  all: readonly HostTableChanges[],
  part: (changes: TableChanges) => readonly (readonly Cell[])[],
): { hostId: number; cells: readonly Cell[] }[] =>
  all.flatMap(({ hostId, changes }) => part(changes).map((cells) => ({ hostId, cells })))

type Parts = Record<keyof Statements, { hostId: number; cells: readonly Cell[] }[]>

const partsOf = (
  all: readonly HostTableChanges[],
  keyCells: (key: string) => readonly Cell[] = (key) => [key],
): Parts => ({
  insert: collect(all, (changes) => changes.inserted),
  update: collect(all, (changes) => changes.updated),
  remove: collect(all, (changes) => changes.deleted.map(keyCells)),
})

export type GroupTables = Record<
  'pgpus' | 'virtualFunctions' | 'mdevs' | 'guests' | 'holdings',
  HostTableChanges[]
>

const TABLES = [
  { statements: statementsOf(PGPU), part: 'pgpus' },
  { statements: VIRTUAL_FUNCTION, part: 'virtualFunctions' },
  { statements: statementsOf(MDEV), part: 'mdevs' },
  { statements: statementsOf(GUEST), part: 'guests' },
  { statements: statementsOf(GUEST_HOLDING), part: 'holdings' },
] as const

/** Writes the changed rows of all hosts of a group, at most one statement per table and kind of change. */
export const writeTables = async (query: Query, tables: GroupTables): Promise<void> => {
  const run = async (sql: Statement, rows: Parts[keyof Parts]): Promise<void> => {
    if (rows.length > 0) await query(sql, asColumns(rows))
  }
  const all = TABLES.map(({ statements, part }) => ({
    statements,
    parts: partsOf(tables[part], part === 'virtualFunctions' ? (key) => key.split(' ') : undefined),
  }))
  // A VF goes before its pGPU and comes after it.
  for (const { statements, parts } of all.toReversed()) await run(statements.remove, parts.remove)
  for (const { statements, parts } of all) {
    await run(statements.update, parts.update)
    await run(statements.insert, parts.insert)
  }
}
