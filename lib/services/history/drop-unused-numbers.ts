import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { listPartitions } from '@/lib/server/database/partitions'
import { pgArray } from '@/lib/server/database/pg-array'
import { idRow } from '@/lib/server/database/row'

/** What rows of the history name by number, and where. Addresses stay: there are as many as there are slots in hosts. */
const NUMBERED = [
  { name: 'pgpu_point', history: 'pgpu_change', column: 'point_id' },
  { name: 'guest_owner', history: 'guest_change', column: 'owner_id' },
  { name: 'held_vgpus', history: 'guest_change', column: 'held_id' },
] as const
type Numbered = (typeof NUMBERED)[number]

const AT_ONCE = 5000

// SQL: the tables are partitions, and transaction ids are PostgreSQL's own.
/** The numbers that rows name; of `ids` alone where they are given. Month by month, so that no statement takes long. */
const loadNamed = async (
  query: Query,
  { history, column }: Numbered,
  ids: readonly number[] | null = null,
): Promise<Set<number>> => {
  const named = new Set<number>()
  for (const partition of await listPartitions(query, history)) {
    const rows = await query(
      `SELECT DISTINCT ${column} AS id FROM ${partition} WHERE $1::int[] IS NULL OR ${column} = ANY($1::int[])`,
      [ids && pgArray(ids)],
      idRow,
    )
    for (const { id } of rows) named.add(id)
  }
  return named
}

const inParts = async (
  ids: readonly number[],
  work: (part: readonly number[]) => Promise<unknown>,
): Promise<void> => {
  for (let index = 0; index < ids.length; index += AT_ONCE) await work(ids.slice(index, index + AT_ONCE))
}

/**
 * Hides unused numbers from writers. Writers look numbers up by digest, so with a changed digest they create a new
 * number. A transaction that has already found the number may still write a row with it, so the number is deleted later
 * (`removeRetired`).
 */
export const retireUnused = async (query: Query): Promise<void> => {
  for (const numbered of NUMBERED) {
    const { name } = numbered
    // Before rows are read: what is numbered after this may have rows that are not seen.
    const rows = await query(`SELECT id FROM ${name} WHERE retired_before IS NULL`, [], idRow)
    const named = await loadNamed(query, numbered)
    const unused = rows.map(({ id }) => id).filter((id) => !named.has(id))
    await inParts(unused, (part) =>
      query(
        `UPDATE ${name} SET digest = digest || int4send(id), retired_before = 0
         WHERE id = ANY($1::int[]) AND retired_before IS NULL`,
        [pgArray(part)],
      ),
    )
  }
  await stampRetired(query)
}

/**
 * In a transaction after the one that hides them. Who found them has a lower id than this one: a group has its id before it looks
 * numbers up.
 */
const stampRetired = async (query: Query): Promise<void> => {
  for (const { name } of NUMBERED)
    await query(
      `UPDATE ${name} SET retired_before = pg_current_xact_id()::text::bigint
       WHERE retired_before = 0`,
    )
}

/**
 * Deletes retired numbers after every transaction that may have found them has ended. Numbers that a row of such a
 * transaction uses are put into use again. Writers lock only to create numbers that they do not find, so no writer waits.
 */
export const removeRetired = async (query: Query): Promise<void> => {
  for (const numbered of NUMBERED) {
    const { name } = numbered
    const ripe = await query(
      `SELECT id FROM ${name} WHERE retired_before > 0
         AND retired_before <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
      [],
      idRow,
    )
    const ids = ripe.map(({ id }) => id)
    await inParts(ids, async (part) => {
      const named = await loadNamed(query, numbered, part)
      await query(`UPDATE ${name} SET retired_before = NULL WHERE id = ANY($1::int[])`, [pgArray([...named])])
      const gone = part.filter((id) => !named.has(id))
      await query(`DELETE FROM ${name} WHERE id = ANY($1::int[])`, [pgArray(gone)])
    })
  }
  await stampRetired(query)
}
