import { expect, test, vi } from 'vitest'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { withDatabaseName } from '@/lib/server/testing/postgres-admin'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { createChange } from '@/lib/services/change/create-change'
import { createChangeWorld } from '@/lib/services/change/testing/change-world'
import { chaosTimes, printFacts } from './testing/times'

vi.setConfig({ testTimeout: 4 * 3_600_000, hookTimeout: 240_000 })

const OPERATORS = 16
const TRIES = chaosTimes({ short: 320, long: 100_000 })
const CONTROL_TRIES = 160

const world = createChangeWorld()

/** Two consoles, each with its own connections; on PGlite, which takes one process, they share it. */
const openReplica = async (): Promise<Database> => {
  const serverUrl = readTestDatabaseUrl()
  if (serverUrl === null) return { ...world.ctx().database, close: async () => undefined }
  const [row] = await world
    .ctx()
    .database.query('SELECT current_database() AS name', [], anyRow<{ name: string }>())
  return openDatabase({ databaseUrl: withDatabaseName(serverUrl, row?.name ?? ''), dataDirectory: null })
}

const operator = (index: number, replica: Database): ServiceContext => ({
  ...world.ctx({ kind: 'user', name: `operator-${index}@Default`, roles: ['admin'] }),
  ...(index % 2 === 0 ? {} : { database: replica }),
})

const plan = (rule: string) =>
  world
    .taggable(1)
    .then((gpus) => createChange(world.ctx(), { cloud: world.cloud().name, kind: 'traits', gpus, rule }))

type Try = (ctx: ServiceContext, version: number, action: 'start' | 'stop' | 'go-on') => Promise<unknown>

/** All act on the version that they saw, again and again; how many won each generation. */
const contend = async (tries: number, act: Try, first: { version: number }) => {
  const replica = await openReplica()
  const operators = Array.from({ length: OPERATORS }, (_, index) => operator(index, replica))
  const winners: number[] = []
  const others = new Set<string>()
  let { version } = first
  for (let generation = 0; generation * OPERATORS < tries; generation += 1) {
    const action = generation === 0 ? 'start' : generation % 2 === 1 ? 'stop' : 'go-on'
    const outcomes = await Promise.allSettled(operators.map((ctx) => act(ctx, version, action)))
    winners.push(outcomes.filter(({ status }) => status === 'fulfilled').length)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') others.add(String(outcome.reason.code ?? outcome.reason))
    version += 1
    if (winners.length % 625 === 0) printFacts('R3', { triesSoFar: winners.length * OPERATORS })
  }
  await replica.close()
  return { winners, others: [...others] }
}

test(`of ${OPERATORS} operators on two consoles one wins each generation, in ${TRIES} tries`, async () => {
  const change = await plan('CUSTOM_ONE_{type}')
  const { winners, others } = await contend(
    TRIES,
    (ctx, version, action) => actOnChange(ctx, { id: change.id, body: { action, version } }),
    change,
  )
  expect(winners.every((count) => count === 1)).toBe(true)
  expect(others).toEqual(['conflict'])
  const { database } = world.ctx()
  const [row] = await database.query('SELECT version FROM change WHERE id = $1', [change.id])
  expect(row).toEqual({ version: change.version + winners.length })
  const [audit] = await database.query(
    `SELECT count(*) AS entries FROM audit_entry WHERE subject = $1 AND action ~ '^change.(start|stop|go-on)$'`,
    [`change:${change.id}`],
    anyRow<{ entries: number }>(),
  )
  expect(audit?.entries).toBe(winners.length)
  printFacts('R3', { tries: winners.length * OPERATORS, generations: winners.length, engine: database.kind })
})

test('control: who reads the version first and writes afterwards wins together with others, and it is seen', async () => {
  const change = await plan('CUSTOM_MANY_{type}')
  const careless: Try = async ({ database }, version) => {
    const [row] = await database.query(
      'SELECT version FROM change WHERE id = $1',
      [change.id],
      anyRow<{ version: number }>(),
    )
    if (row === undefined || row.version > version)
      throw Object.assign(new Error('late'), { code: 'conflict' })
    await database.query('UPDATE change SET version = $2 WHERE id = $1', [change.id, version + 1])
  }
  const { winners } = await contend(CONTROL_TRIES, careless, change)
  expect(winners.some((count) => count > 1)).toBe(true)
})
