import 'server-only'
import type { Database, Query } from '@/lib/server/database/database'

/** Writers wait for so long at most; what does not get its lock is tried again with the next turn. */
const LOCK_MS = 300
const ROWS_AT_ONCE = 5000
const DAY_MS = 86_400_000

/** Since when each is kept: samples by minutes, by five minutes, vGPUs by hours; pGPUs and groups by hours. */
export type PageTerms = { minutesSince: Date; fivesSince: Date; vgpuHoursSince: Date; hoursSince: Date }

type Table = { name: string; unit: 'day' | 'month'; ahead: number; keptSince: keyof PageTerms }

const TABLES: readonly Table[] = [
  { name: 'utilisation_minute', unit: 'day', ahead: 2, keptSince: 'minutesSince' },
  { name: 'utilisation_five', unit: 'day', ahead: 2, keptSince: 'fivesSince' },
  { name: 'utilisation_vgpu_hour', unit: 'day', ahead: 2, keptSince: 'vgpuHoursSince' },
  { name: 'utilisation_hour', unit: 'month', ahead: 2, keptSince: 'hoursSince' },
]

const ATTACHED = `
SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`

const startOf = ({ unit }: Table, at: Date, ahead: number): Date =>
  unit === 'day'
    ? new Date(Math.floor(at.getTime() / DAY_MS + ahead) * DAY_MS)
    : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead))

const nameAt = ({ name, unit }: Table, begin: Date): string =>
  `${name}_${begin
    .toISOString()
    .slice(0, unit === 'day' ? 10 : 7)
    .replaceAll('-', '_')}`

/** End of the partition of that name; null: it is the default one. */
const endOf = (table: Table, name: string): Date | null => {
  const [, year, month, day = '1'] = /_(\d{4})_(\d{2})(?:_(\d{2}))?$/.exec(name) ?? []
  if (year === undefined) return null
  return startOf(table, new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))), 1)
}

const inBrief = (database: Database, work: (query: Query) => Promise<void>): Promise<void> =>
  database.transaction(async (query) => {
    await query(`SELECT set_config('lock_timeout', $1, true)`, [`${LOCK_MS}ms`])
    await work(query)
  })

/** A time of which pages lie in the default partition stays there: its own can not be made any more. */
const makePartition = async (database: Database, table: Table, begin: Date): Promise<void> => {
  const [from, until] = [begin.toISOString(), startOf(table, begin, 1).toISOString()]
  const taken = `SELECT 1 FROM ${table.name}_default WHERE begin >= $1::timestamptz AND begin < $2::timestamptz LIMIT 1`
  if ((await database.query(taken, [from, until])).length > 0) return
  const name = nameAt(table, begin)
  // Made apart and then attached: writers to the others are not held up.
  await inBrief(database, async (query) => {
    await query(
      `CREATE TABLE IF NOT EXISTS ${name} (LIKE ${table.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
    )
    await query(
      `ALTER TABLE ${table.name} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`,
    )
  })
}

const attachedTo = async (database: Database, table: Table): Promise<string[]> =>
  (await database.query<{ name: string }>(ATTACHED, [table.name])).map(({ name }) => name)

/** Makes the partitions of pages from now on, some time ahead. */
export const makePagePartitions = async (database: Database, now: Date): Promise<void> => {
  for (const table of TABLES) {
    const names = new Set(await attachedTo(database, table))
    for (let ahead = 0; ahead <= table.ahead; ahead += 1) {
      const begin = startOf(table, now, ahead)
      if (!names.has(nameAt(table, begin))) await makePartition(database, table, begin)
    }
  }
}

const deleteSlowly = async (
  query: Query,
  { table, where, params }: { table: string; where: string; params: readonly unknown[] },
): Promise<void> => {
  const sql = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE})) RETURNING 1`
  while ((await query(sql, params)).length === ROWS_AT_ONCE);
}

/** Drops pages that are older than is kept, by whole days or months. The figures of days are kept for good. */
export const dropOldPages = async (database: Database, terms: PageTerms): Promise<void> => {
  const { query } = database
  for (const table of TABLES) {
    const since = terms[table.keptSince]
    for (const name of await attachedTo(database, table)) {
      const end = endOf(table, name)
      if (end === null || end > since) continue
      await inBrief(database, async (inOne) => {
        await inOne(`ALTER TABLE ${table.name} DETACH PARTITION ${name}`)
        await inOne(`DROP TABLE ${name}`)
      })
    }
    const rest = { where: 'begin < $1::timestamptz', params: [since] }
    await deleteSlowly(query, { table: `${table.name}_default`, ...rest })
  }
  await deleteSlowly(query, {
    table: 'utilisation_roll_up',
    where: `step = 'hour' AND begin < $1::date`,
    params: [terms.hoursSince.toISOString().slice(0, 10)],
  })
}
