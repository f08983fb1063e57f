import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { onAdminConnection, withDatabaseName } from '../testing/postgres-admin'
import { type Database, openDatabase } from './database'

const serverUrl = readTestDatabaseUrl() ?? ''

describe.skipIf(!serverUrl)('on a PostgreSQL server', () => {
  let name: string
  const opened: Database[] = []
  beforeEach(() => {
    name = `sliceboard_test_${process.pid}_${randomBytes(4).toString('hex')}`
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
    await onAdminConnection(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })

  const open = async (): Promise<Database> => {
    const database = await openDatabase({
      databaseUrl: withDatabaseName(serverUrl, name),
      dataDirectory: null,
    })
    opened.push(database)
    return database
  }

  test('several replicas that start together migrate once', async () => {
    await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
    const [first] = await Promise.all([open(), open(), open(), open()])
    const rows = await first?.query(
      'SELECT migration_name FROM _prisma_migrations GROUP BY 1 HAVING count(*) <> 1 OR count(finished_at) <> 1',
    )
    expect(rows).toEqual([])
  })

  test('a database that is missing is named without its password', async () => {
    const url = new URL(withDatabaseName(serverUrl, name))
    url.password = 'hunter2'
    await expect(openDatabase({ databaseUrl: url.toString(), dataDirectory: null })).rejects.toThrow(
      `The database ${url.host}/${name} cannot be opened (database "${name}" does not exist): start it, or correct DATABASE_URL.`,
    )
  })

  test('another encoding than UTF8 is refused', async () => {
    await onAdminConnection(
      serverUrl,
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
    )
    await expect(open()).rejects.toThrow('has the encoding LATIN1, but Sliceboard needs UTF8')
  })

  test('a connection that is cut between two statements of a transaction fails that one and nothing else', async () => {
    await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
    const database = await open()
    const work = database.transaction(async ({ query }) => {
      const [row] = await query('SELECT pg_backend_pid() AS pid', [], anyRow<{ pid: number }>())
      await onAdminConnection(serverUrl, `SELECT pg_terminate_backend(${row?.pid})`)
      // No query uses the connection when it ends: without a listener the error would end the process.
      await new Promise((resolve) => setTimeout(resolve, 200))
      await query('SELECT 1')
    })
    await expect(work).rejects.toThrow()
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('after the server has cut all connections the next statement works', async () => {
    await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
    const database = await open()
    await database.prisma.cloud.count()
    await onAdminConnection(
      serverUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await database.prisma.cloud.count()).toBe(0)
  })

  test('two writers of one row wait for each other', async () => {
    await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
    const database = await open()
    await database.query(`INSERT INTO cloud (name, region) VALUES ('a', '0')`)
    await Promise.all(
      Array.from({ length: 8 }, () =>
        database.transaction(async ({ query }) => {
          const [row] = await query(
            `SELECT region FROM cloud WHERE name = 'a' FOR UPDATE`,
            [],
            anyRow<{ region: string }>(),
          )
          await query(`UPDATE cloud SET region = $1 WHERE name = 'a'`, [String(Number(row?.region) + 1)])
        }),
      ),
    )
    expect(await database.query(`SELECT region FROM cloud`)).toEqual([{ region: '8' }])
  })
})
