import { describe, expect, test } from 'vitest'
import { createQuery } from '@/lib/server/database/row'
import { anyRow } from '@/lib/server/testing/any-row'
import { findPostgresBinaries, startPrivatePostgres } from '../testing/private-postgres'
import { openDatabase, type Query } from './database'
import { createReplicaQuery, type ReplicaState } from './read-replica'

const IS_REPLICA = 'SELECT pg_is_in_recovery() AS "isReplica"'
const SECOND_MS = 1000

/** A server that answers with its name, and to the check with how far it has come. */
const serverOf = (name: string, newest: () => number): Query =>
  createQuery(async (sql) => [String(sql).includes('newest') ? { newest: newest() } : { name }])

const createPair = (replica: Partial<{ newest: () => number; query: Query }> = {}) => {
  let now = 0
  const states: ReplicaState[] = []
  const read = createReplicaQuery({
    primary: serverOf('primary', () => 1_000_000),
    replica: replica.query ?? serverOf('replica', replica.newest ?? (() => 1_000_000)),
    now: () => now,
    onState: (state) => states.push(state),
  })
  const pass = (seconds: number) => {
    now += seconds * SECOND_MS
  }
  return {
    read: async () => (await read('SELECT name', [], anyRow<{ name: string }>()))[0]?.name,
    states,
    pass,
  }
}

describe('where the history is read', () => {
  test('on the replica while it follows', async () => {
    const { read, states } = createPair()
    expect(await read()).toBe('replica')
    expect(states).toEqual([])
  })

  test('on the primary while the replica is behind, until it has caught up', async () => {
    let newest = 1_000_000 - 121 * SECOND_MS
    const { read, states, pass } = createPair({ newest: () => newest })
    expect(await read()).toBe('primary')
    newest = 1_000_000
    pass(9)
    expect(await read(), 'it is not asked at each statement').toBe('primary')
    pass(1)
    expect(await read()).toBe('replica')
    expect(states).toEqual(['it is 121 s behind', null])
  })

  test('on the primary when a statement fails on the replica alone, and a mistake fails on both', async () => {
    let failure: Error | null = new Error('canceling statement due to conflict with recovery')
    const query = createQuery(async (sql) => {
      if (failure !== null && !String(sql).includes('newest')) throw failure
      return [{ name: 'replica', newest: 1_000_000 }]
    })
    const { read, states, pass } = createPair({ query })
    expect(await read()).toBe('primary')
    expect(states).toEqual([failure.message])
    failure = null
    pass(10)
    expect(await read()).toBe('replica')
  })
})

const binaries = findPostgresBinaries()

describe.skipIf(binaries === null)('a standby of PostgreSQL', () => {
  test('takes the reads of the history and no others, and is not missed when it goes', {
    timeout: 120_000,
  }, async () => {
    const primary = await startPrivatePostgres(binaries ?? '')
    const states: ReplicaState[] = []
    const first = await openDatabase({ databaseUrl: primary.url, dataDirectory: null })
    const standby = await startPrivatePostgres(binaries ?? '', { primary: primary.url })
    const database = await openDatabase({
      databaseUrl: primary.url,
      replica: { url: standby.url, onState: (state) => states.push(state) },
      dataDirectory: null,
    })
    try {
      expect(await database.history(IS_REPLICA)).toEqual([{ isReplica: true }])
      expect(await database.query(IS_REPLICA)).toEqual([{ isReplica: false }])
      await first.query(`INSERT INTO cloud (name) VALUES ('paris')`)
      await expect
        .poll(() => database.history('SELECT name FROM cloud'), { timeout: 30_000 })
        .toEqual([{ name: 'paris' }])
      await expect(database.history('SELECT nothing FROM cloud')).rejects.toThrow('nothing')
      expect(states).toEqual([])

      await standby.stop()
      expect(await database.history('SELECT name FROM cloud')).toEqual([{ name: 'paris' }])
      expect(states).toHaveLength(1)
    } finally {
      await database.close()
      await first.close()
      await primary.stop()
    }
  })
})
