import 'server-only'
import type { PGlite } from '@electric-sql/pglite'
import type { PoolClient } from 'pg'
import type { Query } from './database'
import { createQuery } from './row'
import type { Statement } from './statement'

/** One connection in one transaction, on which whole scripts may run. */
type Session = { query: Query; runScript: (sql: string) => Promise<void> }

/** Runs `work` in one transaction and commits when it resolves. */
export type SessionRunner = <T>(work: (session: Session) => Promise<T>) => Promise<T>

const textOf = (sql: string | Statement): string => (typeof sql === 'string' ? sql : sql.text)

export const pgliteSession =
  (client: PGlite): SessionRunner =>
  (work) =>
    client.transaction((tx) =>
      work({
        query: createQuery(async (sql, params) => (await tx.query(textOf(sql), [...params])).rows),
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
        query: createQuery(async (sql, params) => (await client.query(textOf(sql), [...params])).rows),
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
