/** A bare PGlite whose log of writes finds no space on the disk, in a separate process because it is not seen again. */
import { statfsSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const [directory = ''] = process.argv.slice(2)
const database = await PGlite.create(`${directory}/bare`)
await database.exec(
  `CREATE TABLE churn (t text); INSERT INTO churn SELECT repeat('x', 500) FROM generate_series(1, 200)`,
)
const { bavail, bsize } = statfsSync(directory)
writeFileSync(`${directory}/ballast`, Buffer.alloc(bavail * bsize - 3 * 2 ** 20))
process.stdout.write('filling the log\n')
for (let turn = 0; turn < 3000; turn += 1) {
  await database.query(`UPDATE churn SET t = md5($1) || repeat('y', 480)`, [String(turn)])
  if (turn % 3 === 0) await database.exec('VACUUM churn')
}
process.stdout.write('still answers\n')
