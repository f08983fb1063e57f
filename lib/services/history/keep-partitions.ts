import 'server-only'
import type { Database, Query } from '@/lib/server/database/database'
import {
  deleteSlowly,
  dropPartition,
  listPartitions,
  makePartition,
  type PartitionWork,
} from '@/lib/server/database/partitions'
import { removeRetired, retireUnused } from './drop-unused-numbers'

// Used in SQL: statements over partitions are made from these.
/** A history that is partitioned by month, and how the last row of each subject is carried out of a month that goes. */
type HistoryTable = {
  name: string
  /** The columns that identify its subjects. */
  subject: string
  /** Of rows at the same time the last one is valid. */
  position: string
  rest: string
  /** Rows that say that there is nothing are not carried. */
  isPresent: string
}

const HISTORY_TABLES: readonly HistoryTable[] = [
  {
    name: 'pgpu_change',
    subject: 'host_id, address_id',
    position: 'enrolment, boot, sequence',
    rest: 'point_id',
    isPresent: 'EXISTS (SELECT 1 FROM pgpu_point p WHERE p.id = point_id AND p.framework IS NOT NULL)',
  },
  {
    name: 'guest_change',
    subject: 'host_id, uuid',
    position: 'enrolment, boot, sequence',
    rest: 'name, owner_id, held_id',
    isPresent: 'EXISTS (SELECT 1 FROM held_vgpus v WHERE v.id = held_id AND cardinality(v.addresses) > 0)',
  },
  {
    name: 'pgpu_cloud_change',
    subject: 'host_id, address',
    position: '',
    rest: 'advertised, advertised_used, stranded, service_state, aggregates, stranded_because',
    isPresent: 'service_state IS NOT NULL',
  },
  {
    name: 'limit_change',
    subject: 'cloud_id, region, resource_name, project_id',
    position: '',
    rest: 'value',
    isPresent: 'value IS NOT NULL',
  },
]

/** Months that are created ahead, in addition to the current one. */
const MONTHS_AHEAD = 2

const monthAt = (now: Date, ahead: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
const nameAt = ({ name }: HistoryTable, month: Date): string =>
  `${name}_${month.toISOString().slice(0, 7).replace('-', '_')}`

const list = (...columns: readonly string[]): string => columns.filter((column) => column !== '').join(', ')

/** Makes the partitions of this month and the next ones. */
export const makeMonths = async (database: PartitionWork, now: Date): Promise<void> => {
  for (const table of HISTORY_TABLES) {
    const names = new Set(await listPartitions(database.query, table.name))
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
      const from = monthAt(now, ahead)
      const name = nameAt(table, from)
      if (names.has(name)) continue
      await makePartition(database, { table: table.name, column: 'at', name, from, until: monthAt(from, 1) })
    }
  }
}

const qualified = (table: string, columns: readonly string[]): string[] =>
  columns.map((column) => `${table}.${column}`)

// SQL: partitions, BRIN indexes and batches of old rows are outside of Prisma's models.
const SUMMARISE = `
SELECT brin_summarize_new_values(i.inhrelid::regclass) FROM pg_inherits i
WHERE i.inhparent IN ('pgpu_change_at_idx'::regclass, 'guest_change_at_idx'::regclass)`

/** Updates the BRIN indexes with new blocks of rows: PostgreSQL does this automatically, PGlite does not. */
export const summariseMoments = async (query: Query): Promise<void> => {
  await query(SUMMARISE)
}

/** Copies the last row of each subject to the begin of the remaining history, so that an unchanged pGPU is not lost. */
const carry = (
  query: Query,
  { table, from, bound }: { table: HistoryTable; from: string; bound: Date },
): Promise<unknown> => {
  const { name, subject, position, rest, isPresent } = table
  const key = `${subject}, ${position}`.split(', ').filter((column) => column !== '')
  const newest = ['at', ...position.split(', ')].filter((column) => column !== '')
  return query(
    `WITH last AS (
       SELECT DISTINCT ON (${subject}) * FROM ${from} WHERE at < $1::timestamptz
       ORDER BY ${list(subject, ...newest.map((column) => `${column} DESC`))})
     INSERT INTO ${name} (${list(subject, position, 'at', rest)})
     SELECT ${list(subject, position)}, $1::timestamptz, ${rest} FROM last
     WHERE ${isPresent} AND NOT EXISTS (
       SELECT 1 FROM ${name} t WHERE (${list(...qualified('t', key))}) = (${list(...qualified('last', key))})
         AND t.at = $1::timestamptz)`,
    [bound],
  )
}

const carryQuietly = (database: Database, input: Parameters<typeof carry>[1]): Promise<void> =>
  database.transaction(async ({ query }) => {
    await query(`SELECT set_config('sliceboard.carrying', 'on', true)`)
    await carry(query, input)
  })

/** Answers whether there were any. */
const dropMonths = async (database: Database, table: HistoryTable, before: Date): Promise<boolean> => {
  const { query } = database
  let isAnyGone = false
  for (const name of (await listPartitions(query, table.name)).sort()) {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? []
    if (year === undefined || month === undefined) continue
    const bound = new Date(Date.UTC(Number(year), Number(month)))
    if (bound > before) continue
    await carryQuietly(database, { table, from: name, bound })
    await dropPartition(database, { table: table.name, name })
    isAnyGone = true
  }
  const rest = { table: `${table.name}_default`, where: 'at < $1::timestamptz', params: [before] }
  const old = await query(`SELECT 1 FROM ${rest.table} WHERE ${rest.where} LIMIT 1`, rest.params)
  if (old.length === 0) return isAnyGone
  await carryQuietly(database, { table, from: rest.table, bound: before })
  await deleteSlowly(query, rest)
  return true
}

const BEHIND = 'SELECT 1 FROM roll_up WHERE until < $1::timestamptz LIMIT 1'

/**
 * Deletes history that is older than its retention: changes by whole months, once they are rolled up; hours of roll-ups
 * and intervals with data in small parts; then the numbers that only these used. It blocks other transactions only for a
 * moment.
 */
export const dropOldHistory = async (
  database: Database,
  { changesSince, hoursSince }: { changesSince: Date; hoursSince: Date },
): Promise<void> => {
  const { query } = database
  const month = monthAt(changesSince, 0)
  if ((await query(BEHIND, [month])).length === 0) {
    let isAnyGone = false
    for (const table of HISTORY_TABLES) isAnyGone = (await dropMonths(database, table, month)) || isAnyGone
    await removeRetired(query)
    if (isAnyGone) await retireUnused(query)
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
