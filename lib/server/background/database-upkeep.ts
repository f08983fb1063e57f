import 'server-only'
import * as z from 'zod'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Query } from '../database/database'

const EVERY_MS = 10 * 60_000

// SQL: the catalog, and maintenance.
const TABLES = `
SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
const tableRow = z.object({ name: z.string() })

/**
 * What PostgreSQL's background processes do and PGlite, which is one process, leaves to its owner: without it the log of
 * writes (pg_wal) grows until the console stops, dead rows stay, and the planner knows nothing of the tables.
 */
export const keepUpDatabase = async (query: Query): Promise<void> => {
  // Table by table: between two of them requests get their turn.
  for (const { name } of await query(TABLES, [], tableRow)) await query(`VACUUM (ANALYZE) ${name}`)
  await query('CHECKPOINT')
}

/** Keeps a PGlite in shape for as long as the console runs; a PostgreSQL server does so itself. */
export const startDatabaseUpkeep = async ({ database, log, onStop }: Runtime): Promise<void> => {
  if (database.kind !== 'pglite') return
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = keepUpDatabase(database.query).catch((err: unknown) => {
      log.warn({ err }, 'Database maintenance failed; retrying in ten minutes')
    })
  }, EVERY_MS)
  timer.unref()
  onStop('end the upkeep of the database', async () => {
    clearInterval(timer)
    await running
  })
}
