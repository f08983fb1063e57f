/**
 * Prints how many rows it finds and the last of them, then commits one row after the other and prints each number once
 * its commit has returned. `relaxed`: the commit does not wait for the disk.
 */
import { anyRow } from '@/lib/server/testing/any-row'
import { openDatabase } from '../../database/database'

const [dataDirectory = '', mode] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl: null, dataDirectory })
await database.query('CREATE TABLE IF NOT EXISTS trial (n bigint PRIMARY KEY)')
if (mode === 'relaxed') await database.query('SET synchronous_commit = off')
const [found] = await database.query(
  'SELECT count(*) AS rows, coalesce(max(n), 0) AS last FROM trial',
  [],
  anyRow<{ rows: number; last: number }>(),
)
process.stdout.write(`found ${found?.rows} ${found?.last}\n`)
for (let n = (found?.last ?? 0) + 1; ; n += 1) {
  await database.transaction(({ query }) => query('INSERT INTO trial VALUES ($1)', [n]))
  process.stdout.write(`${n}\n`)
}
