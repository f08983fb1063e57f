import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { formatNoun } from '@/lib/util/format'
import { OpenStackError } from '../openstack-error'
import type { ListedProvider, PlacementClient, ProviderSummary } from '../placement/types'
import {
  fromEarlier,
  fromSummary,
  isUnchanged,
  providerOf,
  toInventories,
  withUsages,
} from './merge-provider'
import type { Round } from './round'

/** Requested separately, in this order: together they multiply into millions of candidates. */
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'PCPU', 'VGPU'] as const

type Summaries = {
  byUuid: ReadonlyMap<string, ProviderSummary>
  /** Requested classes, with the number of candidates. */
  requested: ReadonlyMap<string, number>
}

type ReadSummariesInput = {
  placement: PlacementClient
  listed: readonly ListedProvider[]
  known: ReadonlyMap<string, ResourceProvider>
}

/** Every server uses one of these, so a tree without this server has free capacity of them. */
const CPU_CLASSES = ['VCPU', 'PCPU']

/** Classes that could show trees without a candidate so far; `known` may be of an earlier generation. */
const listUseful = (missing: readonly ListedProvider[], known: ReadSummariesInput['known']): Set<string> => {
  const useful = new Set<string>()
  const trees = new Map<string, ListedProvider[]>()
  for (const provider of missing) {
    const tree = trees.get(provider.rootUuid)
    if (tree === undefined) trees.set(provider.rootUuid, [provider])
    else tree.push(provider)
  }
  for (const providers of trees.values()) {
    const classes = new Set<string>()
    let isChanged = false
    for (const { uuid, generation } of providers) {
      const inventories = known.get(uuid)?.inventories ?? null
      if (inventories === null || known.get(uuid)?.generation !== generation) isChanged = true
      for (const name of Object.keys(inventories ?? {})) classes.add(name)
    }
    const cpus = CPU_CLASSES.filter((name) => classes.has(name))
    const wanted = isChanged ? CLASSES : cpus.length > 0 ? cpus : classes
    for (const name of wanted) useful.add(name)
  }
  return useful
}

/**
 * The values of all providers of every tree with free capacity for one unit of a class; full trees are missing. Requests
 * the next class only while a tree is missing that the class could show: any class, for trees that are new or changed.
 */
const readSummaries = async ({ placement, listed, known }: ReadSummariesInput): Promise<Summaries> => {
  const byUuid = new Map<string, ProviderSummary>()
  const requested = new Map<string, number>()
  for (const name of CLASSES) {
    const missing = listed.filter((provider) => !byUuid.has(provider.uuid))
    if (!listUseful(missing, known).has(name)) continue
    const { requestCount, summaries } = await placement.listSummaries(name)
    requested.set(name, requestCount)
    for (const [uuid, summary] of summaries) byUuid.set(uuid, summary)
  }
  return { byUuid, requested }
}

export type ProviderMemory = {
  byUuid: Map<string, ResourceProvider>
  /** Rounds are counted, so that the provider that waited longest comes first. */
  directlyReadAt: Map<string, number>
  rounds: number
}

export const createProviderMemory = (providers: readonly ResourceProvider[] | null): ProviderMemory => ({
  byUuid: new Map((providers ?? []).map((provider) => [provider.uuid, provider])),
  directlyReadAt: new Map(),
  rounds: 0,
})

type ReadProvidersInput = { placement: PlacementClient; memory: ProviderMemory; round: Round }

/**
 * All providers with capacity, used and traits: the list, candidates of single classes, and one by one only those in
 * full trees whose numbers may have changed.
 */
export const readProviders = async (input: ReadProvidersInput): Promise<ResourceProvider[]> => {
  const { placement, memory, round } = input
  memory.rounds += 1
  const listed = await placement.listProviders()
  const summaries = await readSummaries({ placement, listed, known: memory.byUuid })
  const missing: ListedProvider[] = []
  const next = new Map<string, ResourceProvider>()
  for (const provider of listed) {
    const summary = summaries.byUuid.get(provider.uuid)
    const known = memory.byUuid.get(provider.uuid)
    if (summary === undefined) missing.push(provider)
    next.set(
      provider.uuid,
      summary === undefined ? fromEarlier(provider, known) : fromSummary(provider, summary, known),
    )
  }
  await nextTurn()
  const isCut = isTruncated({ missing, known: memory.byUuid, summaries })
  if (isCut) round.notes.push(truncationNote(summaries))
  const wanted = missing.filter((provider) => mustAsk({ provider, memory, isCut }))
  const order = orderOf(wanted.length > 0 ? wanted : listTurn(missing, memory), memory)
  const waiting = await round.each({
    items: order,
    requestsPerItem: 3,
    // Leaves half of the requests for allocations and servers.
    share: 0.5,
    work: (provider) => readOne({ ...input, provider, next }),
  })
  memory.byUuid = next
  if (waiting > 0) {
    round.notes.push(
      `${formatNoun(waiting, 'provider in a full tree waits', 'providers in full trees wait')} for the next round.`,
    )
  }
  return [...next.values()]
}

const orderOf = (wanted: readonly ListedProvider[], memory: ProviderMemory) =>
  [...wanted].sort(
    (a, b) => (memory.directlyReadAt.get(a.uuid) ?? 0) - (memory.directlyReadAt.get(b.uuid) ?? 0),
  )

/** One provider of a full tree in turn, in case something was given back that no candidate shows (no CPU with it). */
const listTurn = (missing: readonly ListedProvider[], memory: ProviderMemory) =>
  orderOf(
    missing.filter(({ uuid }) => hasUsage(memory.byUuid.get(uuid))),
    memory,
  ).slice(0, 1)

type MissingInput = {
  missing: readonly ListedProvider[]
  known: ReadonlyMap<string, ResourceProvider>
  summaries: Summaries
}

/**
 * A tree with free capacity for one unit is missing although its generation shows no use since then: `[placement]
 * max_allocation_candidates` has truncated the answer.
 */
const isTruncated = ({ missing, known, summaries }: MissingInput): boolean =>
  missing.some((listed) => {
    const provider = known.get(listed.uuid)
    if (provider === undefined || provider.generation !== listed.generation) return false
    return Object.entries(provider.inventories ?? {}).some(
      ([name, { capacity, used, minUnit }]) =>
        summaries.requested.has(name) && capacity - used >= 1 && (minUnit ?? 1) <= 1,
    )
  })

const truncationNote = (summaries: Summaries) =>
  `Placement answers at most ${Math.max(...summaries.requested.values())} candidates ([placement] max_allocation_candidates), so some providers are read one by one; raise the option to make rounds cheaper.`

type MustAskInput = { provider: ListedProvider; memory: ProviderMemory; isCut: boolean }

/**
 * A full tree with unchanged generations stays full: taking something raises a generation, and a server that goes away
 * makes the tree a candidate again. That holds for answers that were not cut.
 */
const mustAsk = ({ provider, memory, isCut }: MustAskInput): boolean => {
  const known = memory.byUuid.get(provider.uuid)
  return !isUnchanged(known, provider) || (isCut && hasUsage(known))
}

const hasUsage = (known: ResourceProvider | undefined) =>
  Object.values(known?.inventories ?? {}).some(({ used }) => used > 0)

type ReadOneInput = ReadProvidersInput & { provider: ListedProvider; next: Map<string, ResourceProvider> }

const readOne = async ({ placement, memory, provider, next }: ReadOneInput): Promise<void> => {
  const { uuid } = provider
  const known = memory.byUuid.get(uuid)
  try {
    if (known?.inventories && isUnchanged(known, provider)) {
      const { usages } = await placement.getUsages(uuid)
      const { traits, aggregateUuids } = known
      const inventories = withUsages(known.inventories, usages)
      next.set(uuid, providerOf(provider, { inventories, traits, aggregateUuids }))
    } else {
      const [records, { usages }, { traits }] = await Promise.all([
        placement.getInventories(uuid),
        placement.getUsages(uuid),
        placement.getTraits(uuid),
      ])
      const inventories = toInventories(records.inventories, usages)
      const aggregateUuids = known?.aggregateUuids ?? null
      next.set(uuid, providerOf(provider, { inventories, traits, aggregateUuids }))
    }
    memory.directlyReadAt.set(uuid, memory.rounds)
  } catch (error) {
    if (!(error instanceof OpenStackError && error.status === 404)) throw error
    // Deleted since it was listed.
    next.delete(uuid)
  }
}
