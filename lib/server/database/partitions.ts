import 'server-only'
import * as z from 'zod'
import type { Database, Query } from './database'

/** Writers wait for so long at most; what does not get its lock is tried again with the next turn. */
const LOCK_MS = 300
const ROWS_AT_ONCE = 5000

/** What partitions are made through; within one transaction its own query serves as both. */
export type PartitionWork = Pick<Database, 'query' | 'transaction'>

const inBrief = (database: PartitionWork, work: (query: Query) => Promise<void>): Promise<void> =>
  database.transaction(async ({ query }) => {
    await query(`SELECT set_config('lock_timeout', $1, true)`, [`${LOCK_MS}ms`])
    await work(query)
  })

// SQL: the catalog, and tables that are created and dropped.
const ATTACHED = `
SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`
const partitionRow = z.object({ name: z.string() })

/** The names of a table's partitions, the default one among them. */
export const listPartitions = async (query: Query, table: string): Promise<string[]> =>
  (await query(ATTACHED, [table], partitionRow)).map(({ name }) => name)

type Partition = { table: string; column: string; name: string; from: Date; until: Date }

/**
 * Makes a table's partition from `from` on and before `until`, by `column`. A time of which rows lie in the default partition
 * stays there: its own can not be made any more.
 */
export const makePartition = async (
  database: PartitionWork,
  { table, column, name, ...time }: Partition,
): Promise<void> => {
  const [from, until] = [time.from.toISOString(), time.until.toISOString()]
  const taken = `SELECT 1 FROM ${table}_default WHERE ${column} >= $1::timestamptz AND ${column} < $2::timestamptz LIMIT 1`
  if ((await database.query(taken, [from, until])).length > 0) return
  // Made apart and then attached: writers to the others are not held up.
  await inBrief(database, async (query) => {
    await query(`CREATE TABLE IF NOT EXISTS ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`)
    await query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`)
  })
}

/** Drops a table's partition. */
export const dropPartition = (
  database: PartitionWork,
  { table, name }: Pick<Partition, 'table' | 'name'>,
): Promise<void> =>
  inBrief(database, async (query) => {
    await query(`ALTER TABLE ${table} DETACH PARTITION ${name}`)
    await query(`DROP TABLE ${name}`)
  })

/** Deletes rows in small parts, so that no other transaction waits long. */
export const deleteSlowly = async (
  query: Query,
  { table, where, params }: { table: string; where: string; params: readonly unknown[] },
): Promise<void> => {
  const sql = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE})) RETURNING 1`
  while ((await query(sql, params)).length === ROWS_AT_ONCE);
}
