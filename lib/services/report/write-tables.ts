import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { type Statement, statement } from '@/lib/server/database/statement'
import type { HostChanges, TableChanges } from './host-changes'
import type { Row, Rows } from './host-rows'
import { columnArrays, columnNames, pgArray, pgRowColumns } from './pg-array'
import type { HostPlan } from './plan-group'
import { GUEST, GUEST_HOLDING, MDEV, PGPU, type Table } from './tables'

type Column = readonly [name: string, type: string]
type Statements = Record<'insert' | 'update' | 'remove', Statement>
type TableStatements = Statements & {
  /** Cells of a row, and those at its beginning that are its key. */
  width: number
  keyWidth: number
}

const cast = ([name, type]: Column): string => (type.endsWith('[]') ? `r.${name}::${type}` : `r.${name}`)

const source = (columns: readonly Column[]): string => {
  // Lists travel as text.
  const own = columns.map(([name, type]) => [name, type.endsWith('[]') ? 'text' : type] as const)
  const all = [['host_id', 'int'] as const, ...own]
  return `unnest(${columnArrays(all)}) AS r (${columnNames(all)})`
}

const statementsOf = ({ name, columns }: Table): TableStatements => {
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
    width: columns.length,
    keyWidth: 1,
  }
}

const VF_COLUMNS: readonly Column[] = [
  ['pgpu_address', 'text'],
  ['address', 'text'],
  ['driver', 'text'],
  ['current_type', 'int'],
]
/** Both addresses. */
const VF_KEY = VF_COLUMNS.slice(0, 2)
const VF_PARENT = 'p.host_id = r.host_id AND p.address = r.pgpu_address'
const VF_SAME = `${VF_PARENT} AND t.pgpu_id = p.id AND t.address = r.address`

const VIRTUAL_FUNCTION: TableStatements = {
  insert: statement(`INSERT INTO virtual_function (pgpu_id, address, driver, current_type)
    SELECT p.id, r.address, r.driver, r.current_type FROM ${source(VF_COLUMNS)} JOIN pgpu p ON ${VF_PARENT}`),
  update: statement(`UPDATE virtual_function t SET driver = r.driver, current_type = r.current_type
    FROM ${source(VF_COLUMNS)}, pgpu p WHERE ${VF_SAME}`),
  remove: statement(`DELETE FROM virtual_function t USING ${source(VF_KEY)}, pgpu p WHERE ${VF_SAME}`),
  width: VF_COLUMNS.length,
  keyWidth: VF_KEY.length,
}

const TABLES = [
  { part: 'pgpus', statements: statementsOf(PGPU) },
  { part: 'virtualFunctions', statements: VIRTUAL_FUNCTION },
  { part: 'mdevs', statements: statementsOf(MDEV) },
  { part: 'guests', statements: statementsOf(GUEST) },
  { part: 'holdings', statements: statementsOf(GUEST_HOLDING) },
] as const satisfies readonly { part: keyof HostChanges; statements: TableStatements }[]

type Part = (typeof TABLES)[number]['part']

/** Rows of several hosts, and the id of the host of each. */
type HostsRows = { hostIds: number[]; rows: Row[] }

const collect = (plans: readonly HostPlan[], part: Part, kind: keyof TableChanges): HostsRows => {
  const hostIds: number[] = []
  const all: Row[] = []
  for (const { decision, changes } of plans) {
    const rows: Rows = changes[part][kind]
    for (const row of rows) {
      hostIds.push(decision.host.id)
      all.push(row)
    }
  }
  return { hostIds, rows: all }
}

/** Writes the changed rows of all hosts of a group, at most one statement per table and kind of change. */
export const writeTables = async (query: Query, plans: readonly HostPlan[]): Promise<void> => {
  const run = async (sql: Statement, { hostIds, rows }: HostsRows, width: number): Promise<void> => {
    if (rows.length > 0) await query(sql, [pgArray(hostIds), ...pgRowColumns(rows, width)])
  }
  // A VF goes before its pGPU and comes after it.
  for (const { part, statements } of TABLES.toReversed())
    await run(statements.remove, collect(plans, part, 'deleted'), statements.keyWidth)
  for (const { part, statements } of TABLES) {
    await run(statements.update, collect(plans, part, 'updated'), statements.width)
    await run(statements.insert, collect(plans, part, 'inserted'), statements.width)
  }
}
