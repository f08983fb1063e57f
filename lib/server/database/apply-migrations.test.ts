import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { createSchemaEngine, missingSql, NO_FILTERS } from '../testing/schema-engine'
import { applyMigrations } from './apply-migrations'
import { type Migration, readMigrations } from './read-migrations'
import { pgliteSession } from './session'

const directory = join(rootDirectory(), 'prisma', 'migrations')

let client: PGlite
let migrations: Migration[]
let emptyCluster: Blob
beforeAll(async () => {
  const first = await PGlite.create()
  emptyCluster = await first.dumpDataDir('none')
  await first.close()
})
beforeEach(async () => {
  client = await PGlite.create({ loadDataDir: emptyCluster })
  migrations = await readMigrations(directory)
})
afterEach(() => client.close())

const apply = (list: readonly Migration[] = migrations) =>
  applyMigrations({ session: pgliteSession(client), migrations: list })

const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: name.padEnd(64, '0') })

const migrationList = (list: readonly Migration[]) => ({
  baseDir: directory,
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: list.map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
  })),
})

const engineOnClient = () => createSchemaEngine(new PrismaPGlite(client))

test('a second run applies nothing', async () => {
  expect(await apply()).toEqual(migrations.map(({ name }) => name))
  expect(await apply()).toEqual([])
})

test("Prisma's own engine finds nothing left to deploy after us, and nothing edited", async () => {
  await apply()
  const engine = await engineOnClient()
  const list = migrationList(migrations)
  const diagnosis = await engine.diagnoseMigrationHistory({
    migrationsList: list,
    optInToShadowDatabase: false,
    filters: NO_FILTERS,
  })
  expect(diagnosis).toMatchObject({
    hasMigrationsTable: true,
    editedMigrationNames: [],
    failedMigrationNames: [],
    history: null,
  })
  const { appliedMigrationNames } = await engine.applyMigrations({
    migrationsList: list,
    filters: NO_FILTERS,
  })
  expect(appliedMigrationNames).toEqual([])
})

test("we find nothing left to apply after Prisma's own engine", async () => {
  const engine = await engineOnClient()
  await engine.applyMigrations({ migrationsList: migrationList(migrations), filters: NO_FILTERS })
  expect(await apply()).toEqual([])
})

test('prisma/schema and prisma/migrations agree', async () => {
  const engine = await engineOnClient()
  expect(await missingSql(engine)).toContain('CREATE TABLE "host"')
  await apply()
  expect(await missingSql(engine)).toBeNull()
})

test('a migration that fails leaves nothing of itself or of those before it', async () => {
  const broken = [
    migration('1_good', 'CREATE TABLE a (x int)'),
    migration('2_bad', 'CREATE TABLE b (x int); SELECT no'),
  ]
  await expect(apply(broken)).rejects.toThrow('column "no" does not exist')
  const { rows } = await client.query(
    `SELECT to_regclass('a') AS a, to_regclass('_prisma_migrations') AS list`,
  )
  expect(rows).toEqual([{ a: null, list: null }])
})

test('a half-applied migration is named with the way out', async () => {
  await apply()
  await client.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1`, [
    migrations[0]?.name,
  ])
  await expect(apply()).rejects.toThrow(
    `The migration ${migrations[0]?.name} was begun on this database and never finished: repair the database, tell it so with "npx prisma migrate resolve --rolled-back ${migrations[0]?.name}" (or --applied), and start again.`,
  )
})

test('a migration that was rolled back is applied again', async () => {
  const one = [migration('1_one', 'CREATE TABLE IF NOT EXISTS a (x int)')]
  await apply(one)
  await client.query('UPDATE _prisma_migrations SET rolled_back_at = now()')
  expect(await apply(one)).toEqual(['1_one'])
})

test('a database from a newer version is refused', async () => {
  await apply([migration('1_one', 'SELECT 1'), migration('2_two', 'SELECT 1')])
  await expect(apply([migration('1_one', 'SELECT 1')])).rejects.toThrow(
    'The database has the migration 2_two, which this version of Sliceboard does not know',
  )
})

test('a migration that was changed afterwards is refused', async () => {
  await apply([migration('1_one', 'SELECT 1')])
  const changed = { ...migration('1_one', 'SELECT 2'), checksum: 'f'.repeat(64) }
  await expect(apply([changed])).rejects.toThrow('The migration 1_one was changed after it had been applied')
})
