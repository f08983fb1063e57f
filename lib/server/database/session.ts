import 'server-only'
import type { PGlite } from '@electric-sql/pglite'
import type { PoolClient } from 'pg'

export type SessionQuery = <Row = Record<string, unknown>>(
  sql: string,
  params?: readonly unknown[],
) => Promise<Row[]>

/** One connection in one transaction, on which whole scripts may run. */
type Session = { query: SessionQuery; runScript: (sql: string) => Promise<void> }

/** Runs `work` in one transaction and commits when it resolves. */
export type SessionRunner = <T>(work: (session: Session) => Promise<T>) => Promise<T>

export const pgliteSession =
  (client: PGlite): SessionRunner =>
  (work) =>
    client.transaction((tx) =>
      work({
        query: async <Row>(sql: string, params: readonly unknown[] = []) =>
          (await tx.query<Row>(sql, [...params])).rows,
        runScript: async (sql) => {
          await tx.exec(sql)
        },
      }),
    )

export const postgresSession =
  (client: PoolClient): SessionRunner =>
  async (work) => {
    await client.query('BEGIN')
    try {
      const result = await work({
        query: async <Row>(sql: string, params: readonly unknown[] = []) =>
          (await client.query(sql, [...params])).rows as Row[],
        runScript: async (sql) => {
          await client.query(sql)
        },
      })
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }
