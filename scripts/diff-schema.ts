/** `npm run db:diff -- NAME`: writes the migration from prisma/migrations to prisma/schema.prisma. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { applyMigrations } from '../lib/server/database/apply-migrations'
import { readMigrations } from '../lib/server/database/read-migrations'
import { pgliteSession } from '../lib/server/database/session'
import { createSchemaEngine, NO_FILTERS } from '../lib/server/testing/schema-engine'

const name = process.argv[2]
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run db:diff -- NAME, where NAME has lower-case letters, digits and underscores.')
  process.exit(1)
}

const root = join(import.meta.dirname, '..')
const migrationsDirectory = join(root, 'prisma', 'migrations')
const schema = await readFile(join(root, 'prisma', 'schema.prisma'), 'utf8')

const client = new PGlite()
await applyMigrations({
  session: pgliteSession(client),
  migrations: await readMigrations(migrationsDirectory),
})
const engine = await createSchemaEngine({ schema, adapterFactory: new PrismaPGlite(client) })
const { stdout } = await engine.diff({
  from: { tag: 'schemaDatasource', files: [{ path: 'schema.prisma', content: schema }], configDir: root },
  to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
  script: true,
  exitCode: null,
  filters: NO_FILTERS,
})
await client.close()

if (!stdout || /^-- This is an empty migration/.test(stdout)) {
  console.log('prisma/schema.prisma and prisma/migrations agree; nothing to write.')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const directory = join(migrationsDirectory, `${stamp}_${name}`)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'migration.sql'), stdout)
  console.log(`Wrote prisma/migrations/${stamp}_${name}/migration.sql; read it before you commit it.`)
}
