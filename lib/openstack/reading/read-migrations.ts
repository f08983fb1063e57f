import type { Migration, Server } from '@/lib/domain/cloud/types'
import type { ListedMigration, NovaClient } from '../nova/types'
import type { Round } from './round'

export type MigrationMemory = { byUuid: Map<string, Migration>; since: string | null }

export const createMigrationMemory = (): MigrationMemory => ({ byUuid: new Map(), since: null })

type ReadMigrationsInput = {
  nova: NovaClient
  /** A server that waits for a confirmation has a migration, however old. */
  servers: readonly Server[]
  memory: MigrationMemory
  round: Round
}

const FIRST_DAYS = 30
const FIRST_PAGES = 10
const OVERLAP_MS = 60_000
const DAY_MS = 86_400_000
const WAITING_A_ROUND = 10

/** Migrations in progress. Nova has no query for those alone, so the last month's are read once, then the changes. */
export const readMigrations = async (input: ReadMigrationsInput): Promise<Migration[]> => {
  const { nova, memory, round } = input
  const nowMs = round.now.getTime()
  const sinceMs = memory.since === null ? nowMs - FIRST_DAYS * DAY_MS : Date.parse(memory.since) - OVERLAP_MS
  const list = await nova.listMigrations({
    changesSince: new Date(sinceMs).toISOString(),
    ...(memory.since === null ? { maxPages: FIRST_PAGES } : {}),
  })
  for (const migration of list.items) store(memory, migration)
  memory.since = list.answeredAt ?? round.now.toISOString()

  const moving = new Set([...memory.byUuid.values()].map((migration) => migration.serverUuid))
  const lost = input.servers.filter(({ uuid, status }) => status === 'VERIFY_RESIZE' && !moving.has(uuid))
  await round.each({
    items: lost.slice(0, WAITING_A_ROUND),
    requestsPerItem: 1,
    share: 1,
    work: async ({ uuid }) => {
      const own = await nova.listMigrations({ serverUuid: uuid, maxPages: 1 })
      for (const migration of own.items) store(memory, migration)
    },
  })
  return [...memory.byUuid.values()].sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
}

const store = (memory: MigrationMemory, { isInProgress, ...migration }: ListedMigration) => {
  if (isInProgress) memory.byUuid.set(migration.uuid, migration)
  else memory.byUuid.delete(migration.uuid)
}
