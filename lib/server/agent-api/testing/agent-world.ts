import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../../database/database'
import { createTestDatabase } from '../../testing/test-database'
import { type AgentConsole, startAgentConsole } from './agent-console'
import { emptyDatabase } from './empty-database'

type AgentWorld = {
  database: () => Database
  agents: () => AgentConsole
  /** The console's clock. */
  now: () => Date
  setClock: (at: Date) => void
  /** Stops the console and starts another one with the same database. */
  restart: () => Promise<void>
  /** The same as before each test. */
  begin: () => Promise<void>
}

/**
 * One database for the tests of a file, reset to only the cloud `lab` before each of them, and the agents' side of a
 * console on it. Its clock starts at `startAt`; without one it is the machine's.
 */
export const createAgentWorld = ({ startAt }: { startAt?: Date } = {}): AgentWorld => {
  let opened: Database | null = null
  let started: AgentConsole | null = null
  let clock = startAt
  const database = (): Database => {
    if (opened === null) throw new Error('the database opens before the first test')
    return opened
  }
  const agents = (): AgentConsole => {
    if (started === null) throw new Error('the console starts before each test')
    return started
  }
  const now = (): Date => clock ?? new Date()
  const stop = async () => {
    await started?.stop()
    started = null
  }
  const restart = async () => {
    await stop()
    started = await startAgentConsole({ database: database(), now })
  }
  const begin = async () => {
    await stop()
    clock = startAt
    await emptyDatabase(database())
    await addCloud(database(), 'lab')
    await restart()
  }
  beforeAll(async () => {
    opened = await createTestDatabase()
  })
  beforeEach(begin)
  afterEach(stop)
  afterAll(() => opened?.close())
  return {
    database,
    agents,
    now,
    setClock: (at) => {
      clock = at
    },
    restart,
    begin,
  }
}
