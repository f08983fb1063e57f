import type { Query } from '@/lib/server/database/database'

/** Transactions of the database that wait for a lock: none, or some rows. PostgreSQL only, since PGlite has one connection. */
export const whoWaits = (query: Query): Promise<unknown[]> =>
  query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)
