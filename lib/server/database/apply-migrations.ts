import 'server-only'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { StartError } from '@/lib/server/errors/start-error'
import type { Query } from './database'
import type { Migration } from './read-migrations'
import type { SessionRunner } from './session'

/** The key under which Prisma's own CLI takes its lock (schema-engine: `ADVISORY_LOCK_KEY`), so that both wait for each other. */
const MIGRATION_LOCK = 72_707_369

// Columns and types as schema-engine creates them.
const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`

const appliedRow = z.object({ name: z.string(), checksum: z.string(), isFinished: z.boolean() })
type AppliedRow = z.infer<typeof appliedRow>

const readApplied = (query: Query): Promise<AppliedRow[]> =>
  query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
    [],
    appliedRow,
  )

const checkApplied = (applied: readonly AppliedRow[], migrations: readonly Migration[]): void => {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const row of applied) {
    const migration = known.get(row.name)
    if (!row.isFinished) {
      throw new StartError(
        `The migration ${row.name} was begun on this database and never finished: repair the database, tell it so with "npx prisma migrate resolve --rolled-back ${row.name}" (or --applied), and start again.`,
      )
    }
    if (!migration) {
      throw new StartError(
        `The database has the migration ${row.name}, which this version of Sliceboard does not know: start the newer version that made it.`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new StartError(
        `The migration ${row.name} was changed after it had been applied to this database: restore the file prisma/migrations/${row.name}/migration.sql.`,
      )
    }
  }
}

/**
 * Applies missing migrations in one transaction: after a crash either all or none are applied. If several processes start
 * together, one applies them and the others wait. Returns the names of the applied migrations.
 */
export const applyMigrations = ({
  session,
  migrations,
}: {
  session: SessionRunner
  migrations: readonly Migration[]
}): Promise<string[]> =>
  session(async ({ query, runScript }) => {
    await query('SELECT 1 FROM pg_advisory_xact_lock($1::bigint)', [MIGRATION_LOCK])
    await runScript(CREATE_TABLE)
    const applied = await readApplied(query)
    checkApplied(applied, migrations)
    const appliedNames = new Set(applied.map((row) => row.name))
    const missing = migrations.filter((migration) => !appliedNames.has(migration.name))
    for (const migration of missing) {
      await runScript(migration.sql)
      await query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp(), 1)`,
        [randomUUID(), migration.checksum, migration.name],
      )
    }
    return missing.map((migration) => migration.name)
  })
