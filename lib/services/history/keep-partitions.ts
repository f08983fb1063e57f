import 'server-only'
import type { Database, Query } from '@/lib/server/database/database'
import { HISTORY_TABLES, type HistoryTable } from './history-tables'

/** What partitions are made through; within one transaction its own query serves as both. */
type Making = Pick<Database, 'query' | 'transaction'>

/** Months beside the running one that are made ahead. */
const MONTHS_AHEAD = 2
/** Writers wait for so long at most; what does not get its lock is tried again with the next turn. */
const LOCK_MS = 300
const ROWS_AT_ONCE = 5000

const monthAt = (now: Date, ahead: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
const nameAt = ({ name }: HistoryTable, month: Date): string =>
  `${name}_${month.toISOString().slice(0, 7).replace('-', '_')}`

const list = (...columns: readonly string[]): string => columns.filter((column) => column !== '').join(', ')

const waitBriefly = (query: Query) => query(`SELECT set_config('lock_timeout', $1, true)`, [`${LOCK_MS}ms`])

const ATTACHED = `
SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`

/** A month of which rows lie in the default partition stays there: it can not be made any more. */
const makeMonth = async (database: Making, table: HistoryTable, month: Date): Promise<void> => {
  const [from, until] = [month.toISOString(), monthAt(month, 1).toISOString()]
  const taken = `SELECT 1 FROM ${table.name}_default WHERE at >= $1::timestamptz AND at < $2::timestamptz LIMIT 1`
  if ((await database.query(taken, [from, until])).length > 0) return
  await database.transaction(async (query) => {
    await waitBriefly(query)
    const name = nameAt(table, month)
    // Made apart and then attached: writers to the other months are not held up.
    await query(
      `CREATE TABLE IF NOT EXISTS ${name} (LIKE ${table.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
    )
    await query(
      `ALTER TABLE ${table.name} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`,
    )
  })
}

/** Makes the partitions of this month and the next ones. */
export const makeMonths = async (database: Making, now: Date): Promise<void> => {
  for (const table of HISTORY_TABLES) {
    const attached = await database.query<{ name: string }>(ATTACHED, [table.name])
    const names = new Set(attached.map(({ name }) => name))
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
      const month = monthAt(now, ahead)
      if (!names.has(nameAt(table, month))) await makeMonth(database, table, month)
    }
  }
}

/** The last row of each subject stands at the begin of what stays, so that a pGPU that nothing changed in is not forgotten. */
const carry = (
  query: Query,
  { table, from, bound }: { table: HistoryTable; from: string; bound: Date },
): Promise<unknown> => {
  const { name, subject, position, rest, isPresent } = table
  const newest = ['at', ...position.split(', ')].filter((column) => column !== '')
  return query(
    `INSERT INTO ${name} (${list(subject, position, 'at', rest)})
     SELECT ${list(subject, position)}, $1::timestamptz, ${rest} FROM (
       SELECT DISTINCT ON (${subject}) * FROM ${from} WHERE at < $1::timestamptz
       ORDER BY ${list(subject, ...newest.map((column) => `${column} DESC`))}) last
     WHERE ${isPresent} ON CONFLICT DO NOTHING`,
    [bound],
  )
}

const carryQuietly = (database: Database, input: Parameters<typeof carry>[1]): Promise<void> =>
  database.transaction(async (query) => {
    await query(`SELECT set_config('sliceboard.carrying', 'on', true)`)
    await carry(query, input)
  })

const deleteSlowly = async (
  query: Query,
  { table, where, params }: { table: string; where: string; params: readonly unknown[] },
): Promise<void> => {
  const sql = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE})) RETURNING 1`
  while ((await query(sql, params)).length === ROWS_AT_ONCE);
}

const dropMonths = async (database: Database, table: HistoryTable, before: Date): Promise<void> => {
  const { query } = database
  const attached = await query<{ name: string }>(ATTACHED, [table.name])
  for (const { name } of attached.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? []
    if (year === undefined || month === undefined) continue
    const bound = new Date(Date.UTC(Number(year), Number(month)))
    if (bound > before) continue
    await carryQuietly(database, { table, from: name, bound })
    await database.transaction(async (inOne) => {
      await waitBriefly(inOne)
      await inOne(`ALTER TABLE ${table.name} DETACH PARTITION ${name}`)
      await inOne(`DROP TABLE ${name}`)
    })
  }
  const rest = { table: `${table.name}_default`, where: 'at < $1::timestamptz', params: [before] }
  const old = await query(`SELECT 1 FROM ${rest.table} WHERE ${rest.where} LIMIT 1`, rest.params)
  if (old.length === 0) return
  await carryQuietly(database, { table, from: rest.table, bound: before })
  await deleteSlowly(query, rest)
}

const BEHIND = 'SELECT 1 FROM roll_up WHERE until < $1::timestamptz LIMIT 1'

/**
 * Drops what is older than is kept: changes by whole months, when they are rolled up; hours of roll-ups and watched stretches
 * in small parts. Nobody waits for it longer than a moment.
 */
export const dropOldHistory = async (
  database: Database,
  { changesSince, hoursSince }: { changesSince: Date; hoursSince: Date },
): Promise<void> => {
  const { query } = database
  const month = monthAt(changesSince, 0)
  if ((await query(BEHIND, [month])).length === 0) {
    for (const table of HISTORY_TABLES) await dropMonths(database, table, month)
    await deleteSlowly(query, {
      table: 'host_watch',
      where: `until < $1::timestamptz AND NOT EXISTS (SELECT 1 FROM host h WHERE h.id = host_id AND h.watched_since = since)`,
      params: [month],
    })
  }
  await deleteSlowly(query, {
    table: 'capacity_roll_up',
    where: `step = 'hour' AND begin < $1::date`,
    params: [hoursSince.toISOString().slice(0, 10)],
  })
}
