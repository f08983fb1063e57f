/** `npm run db:diff -- NAME`: writes the migration from prisma/migrations to prisma/schema. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { applyMigrations } from '../lib/server/database/apply-migrations'
import { readMigrations } from '../lib/server/database/read-migrations'
import { pgliteSession } from '../lib/server/database/session'
import { createSchemaEngine, missingSql } from '../lib/server/testing/schema-engine'

const name = process.argv[2]
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run db:diff -- NAME, where NAME has lower-case letters, digits and underscores.')
  process.exit(1)
}

const root = join(import.meta.dirname, '..')
const migrationsDirectory = join(root, 'prisma', 'migrations')

const client = new PGlite()
await applyMigrations({
  session: pgliteSession(client),
  migrations: await readMigrations(migrationsDirectory),
})
const sql = await missingSql(await createSchemaEngine(new PrismaPGlite(client)))
await client.close()

if (sql === null) {
  console.log('prisma/schema and prisma/migrations agree; nothing to write.')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const directory = join(migrationsDirectory, `${stamp}_${name}`)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'migration.sql'), sql)
  console.log(`Wrote prisma/migrations/${stamp}_${name}/migration.sql; read it before you commit it.`)
}
