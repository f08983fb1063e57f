import type { Allocation, Server } from '@/lib/domain/cloud/types'
import { createShare, type Share } from '@/lib/util/create-share'
import type { ListedServer, NovaClient, NovaList } from '../nova/types'
import { type Round, UnfinishedPart } from './round'

export type ServerMemory = {
  byUuid: Map<string, Server>
  /** Most servers have equal copies of a few flavors. */
  share: Share
  /** Hosts whose servers are known; later changes come by `changes-since`. */
  hosts: Set<string>
  /** Nova's clock at the oldest reading in `byUuid`; null: nothing was read. */
  since: string | null
  /** Consumers that are no servers, with the time when that was asked (ms). */
  strangers: Map<string, number>
  /** Paging through all servers took more pages than there are GPU hosts, or than a round may cost. */
  isTooManyPages: boolean
  turn: number
  /** When servers were last read before this reader was created: refused servers since then are read once; null: done. */
  readAt: string | null
  /**
   * Refused servers of the last rounds, with the time (ms) at which each was seen: reported again, in case they were not
   * stored.
   */
  unplaced: Map<string, { seenMs: number; server: Server }>
}

export const createServerMemory = (readAt: string | null): ServerMemory => ({
  byUuid: new Map(),
  share: createShare(),
  hosts: new Set(),
  since: null,
  strangers: new Map(),
  isTooManyPages: false,
  turn: 0,
  readAt,
  unplaced: new Map(),
})

type ReadServersInput = {
  nova: NovaClient
  /** Null: Placement or Nova has not reported yet where GPUs are. */
  hosts: readonly string[] | null
  /** Consumers of GPU providers; those that no GPU host shows are requested one by one. */
  allocations: readonly Allocation[]
  memory: ServerMemory
  round: Round
}
type KnownHosts = ReadServersInput & { hosts: readonly string[] }

/** Above so many new hosts, paging through all servers is tried first; it stops once it costs as much as the hosts. */
const FEW_HOSTS = 10
/** Changes are requested with this overlap, because rows are written before they are committed. */
const OVERLAP_MS = 60_000
const STRANGER_AGE_MS = 10 * 60_000
const CONSUMERS_A_ROUND = 50
const UNPLACED_AGE_MS = 60 * 60_000
const MAX_UNPLACED = 5000
/** If a console was away for longer, refused servers of that time are lost. */
const CATCH_UP_MS = 7 * 86_400_000
const CATCH_UP_PAGES = 20
/** That time is of our clock, while Nova uses its own. */
const CLOCKS_MS = 10 * 60_000

/**
 * Servers on GPU hosts and the other consumers of GPU providers. At first host by host (or page by page); from then on
 * what changed, and one host in turn in case a change was missed.
 */
export const readServers = async ({ hosts, ...rest }: ReadServersInput): Promise<Server[]> => {
  if (hosts === null) throw new UnfinishedPart('It is not known yet which hosts have GPUs.')
  const input = { ...rest, hosts }
  const { memory } = input
  const wanted = new Set(input.hosts)
  for (const host of memory.hosts) if (!wanted.has(host)) memory.hosts.delete(host)
  await readChanges(input, wanted)
  await catchUp(input)
  await readTurn(input)
  const waiting = await readNewHosts(input, wanted)
  forgetElsewhere(input, wanted)
  await readConsumers(input)
  if (waiting > 0) {
    throw new UnfinishedPart(
      `Servers of ${waiting} of ${input.hosts.length} GPU hosts wait for the next round.`,
    )
  }
  return [...memory.byUuid.values()].sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
}

const store = (memory: ServerMemory, { isDeleted, metadata: _metadata, ...server }: ListedServer) => {
  if (isDeleted) memory.byUuid.delete(server.uuid)
  else memory.byUuid.set(server.uuid, { ...server, extraSpecs: memory.share(server.extraSpecs) })
}

const startedAt = (list: NovaList<ListedServer>, round: Round) => list.answeredAt ?? round.now.toISOString()

/** Servers that came to no host have none to be read with: only lists of changes show them. */
const noteUnplaced = ({ memory, round }: KnownHosts, servers: readonly ListedServer[]) => {
  const nowMs = round.now.getTime()
  for (const [uuid, { seenMs }] of memory.unplaced)
    if (nowMs - seenMs > UNPLACED_AGE_MS) memory.unplaced.delete(uuid)
  for (const { isDeleted: _, ...server } of servers) {
    const isUnplaced = server.host === null && server.fault !== null
    if (isUnplaced && memory.unplaced.size < MAX_UNPLACED)
      memory.unplaced.set(server.uuid, { seenMs: nowMs, server })
  }
}

const before = (at: string, ms: number): string => new Date(Date.parse(at) - ms).toISOString()

/** What came to no host while no reader of this console looked. */
const catchUp = async (input: KnownHosts) => {
  const { nova, memory, round } = input
  const { readAt } = memory
  if (readAt === null || round.left() < CATCH_UP_PAGES) return
  if (round.now.getTime() - Date.parse(readAt) <= CATCH_UP_MS) {
    const changesSince = before(readAt, CLOCKS_MS)
    noteUnplaced(input, (await nova.listServers({ changesSince, maxPages: CATCH_UP_PAGES })).items)
  }
  memory.readAt = null
}

const readChanges = async (input: KnownHosts, wanted: ReadonlySet<string>) => {
  const { nova, memory, round } = input
  if (memory.since === null) return
  const list = await nova.listServers({ changesSince: before(memory.since, OVERLAP_MS) })
  for (const server of list.items) {
    const isWanted = server.host !== null && wanted.has(server.host)
    if (isWanted || memory.byUuid.has(server.uuid)) store(memory, server)
  }
  noteUnplaced(input, list.items)
  memory.since = startedAt(list, round)
}

/** A host's answer replaces what was known of it. */
const readHost = async ({ nova, memory, round }: KnownHosts, host: string) => {
  const list = await nova.listServers({ host })
  for (const [uuid, server] of memory.byUuid) if (server.host === host) memory.byUuid.delete(uuid)
  for (const server of list.items) store(memory, server)
  memory.hosts.add(host)
  memory.since ??= startedAt(list, round)
}

const readTurn = async (input: KnownHosts) => {
  const { memory } = input
  const hosts = input.hosts.filter((host) => memory.hosts.has(host))
  const host = hosts[memory.turn % Math.max(1, hosts.length)]
  memory.turn += 1
  if (host !== undefined) await readHost(input, host)
}

const readNewHosts = async (input: KnownHosts, wanted: ReadonlySet<string>): Promise<number> => {
  const { nova, memory, round } = input
  const unread = input.hosts.filter((host) => !memory.hosts.has(host))
  const maxPages = Math.min(unread.length, Math.floor(round.left() / 2))
  if (unread.length > FEW_HOSTS && maxPages > 0 && !memory.isTooManyPages) {
    const list = await nova.listServers({ maxPages })
    for (const server of list.items)
      if (server.host !== null && wanted.has(server.host)) store(memory, server)
    memory.since ??= startedAt(list, round)
    if (list.isComplete) {
      for (const host of unread) memory.hosts.add(host)
      return 0
    }
    memory.isTooManyPages = true
  }
  return round.each({
    items: unread,
    requestsPerItem: 1,
    share: 0.8,
    work: (host) => readHost(input, host),
  })
}

/** A server that moved to a host without GPUs is of no more interest, unless it still holds a GPU's allocation. */
const forgetElsewhere = ({ memory, allocations }: KnownHosts, wanted: ReadonlySet<string>) => {
  const consumers = new Set(allocations.map((allocation) => allocation.consumerUuid))
  for (const [uuid, server] of memory.byUuid) {
    const isHere = server.host !== null && wanted.has(server.host)
    if (!isHere && !consumers.has(uuid)) memory.byUuid.delete(uuid)
  }
}

const readConsumers = async ({ nova, memory, allocations, round }: KnownHosts) => {
  const nowMs = round.now.getTime()
  const uuids = new Set(allocations.map((allocation) => allocation.consumerUuid))
  for (const uuid of memory.strangers.keys()) if (!uuids.has(uuid)) memory.strangers.delete(uuid)
  const unknown = [...uuids].filter((uuid) => {
    const requestedMs = memory.strangers.get(uuid)
    return !memory.byUuid.has(uuid) && (requestedMs === undefined || nowMs - requestedMs > STRANGER_AGE_MS)
  })
  await round.each({
    items: unknown.slice(0, CONSUMERS_A_ROUND),
    requestsPerItem: 1,
    share: 1,
    work: async (uuid) => {
      const server = await nova.getServer(uuid)
      if (server === null) memory.strangers.set(uuid, nowMs)
      else memory.byUuid.set(uuid, { ...server, extraSpecs: memory.share(server.extraSpecs) })
    },
  })
}
