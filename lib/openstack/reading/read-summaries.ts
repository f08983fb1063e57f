import type { ResourceProvider } from '@/lib/domain/cloud/types'
import type { ListedProvider, PlacementClient, ProviderSummary } from '../placement/types'

/** Requested separately, in this order: together they multiply into millions of candidates. */
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'PCPU', 'VGPU'] as const

export type Summaries = {
  byUuid: ReadonlyMap<string, ProviderSummary>
  /** Requested classes, with the number of candidates. */
  asked: ReadonlyMap<string, number>
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
export const readSummaries = async ({ placement, listed, known }: ReadSummariesInput): Promise<Summaries> => {
  const byUuid = new Map<string, ProviderSummary>()
  const asked = new Map<string, number>()
  for (const name of CLASSES) {
    const missing = listed.filter((provider) => !byUuid.has(provider.uuid))
    if (!listUseful(missing, known).has(name)) continue
    const { requestCount, summaries } = await placement.listSummaries(name)
    asked.set(name, requestCount)
    for (const [uuid, summary] of summaries) byUuid.set(uuid, summary)
  }
  return { byUuid, asked }
}
