import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { countAtOnce, countFits } from './count-fits'
import { candidatesQuery, type FlavorLike, type FlavorRequest, readFlavorRequest } from './flavor-request'
import { type FitBlocker, hostBlockers, pgpuBlockers } from './host-blockers'
import { hostProblem, type ProviderFilter, type SlotNeed, slotNeeds } from './host-problem'
import { roomOnRoot } from './reach'

type PgpuFit = {
  address: string
  /** Servers that this pGPU alone could take by hardware and Placement; unknown with a reason. */
  fits: Known
  blockers: readonly FitBlocker[]
}

type HostFit = {
  host: string
  /** Servers that really fit now: hardware, Placement, CPU, memory, disk and the service taken together. */
  fits: Known
  /** What Placement alone would take. */
  byPlacement: Known
  /** The most that one request for several servers can put here (bug 1874664). */
  atOnce: Known
  /** False: the groups ask for unlike amounts, and `fits` is a number that surely fits. */
  isExact: boolean
  blockers: readonly FitBlocker[]
  pgpus: readonly PgpuFit[]
}

/** Why a flavor (or a type) lands where it does. Sums leave unknown hosts out, and `unknownHosts` counts them. */
export type FitReport = {
  /** The literal call that Nova makes of it. */
  query: string
  ignored: FlavorRequest['ignored']
  fits: number
  byPlacement: number
  atOnce: number
  unknownHosts: number
  hosts: readonly HostFit[]
  /** Why the cloud's words are too old to count by; null when they are not. Numbers are then all unknown. */
  gap: string | null
}

type Question = {
  request: FlavorRequest
  needs: readonly SlotNeed[]
  extraSpecs: FlavorLike['extraSpecs']
  availabilityZone: string | null
  candidateRoots: ReadonlySet<string> | null
  filter: ProviderFilter
}

const pgpuFits = (joined: JoinedHost, { needs, request, filter }: Question): PgpuFit[] =>
  joined.pgpus.map((entry) => {
    const blockers = pgpuBlockers(joined, entry, needs, filter)
    const { problem, unknownCard } = hostProblem({
      joined: { ...joined, pgpus: [entry], strays: [] },
      needs,
      room: Number.MAX_SAFE_INTEGER,
      isIsolated: request.groupPolicy === 'isolate',
      filter,
    })
    const gap = joined.host.isSilent ? silence(joined) : unknownCard
    const fits = gap === null ? known(countFits(problem).count) : unknown(gap)
    return { address: entry.pgpu.address, fits, blockers }
  })

const silence = ({ host }: JoinedHost): string => `${host.name} has been silent since ${host.seenAt}`

const all = (number: Known): Pick<HostFit, 'fits' | 'byPlacement' | 'atOnce' | 'isExact'> => ({
  fits: number,
  byPlacement: number,
  atOnce: number,
  isExact: true,
})

/** Why a host can't be counted at all; null when it can. */
const uncountable = (joined: JoinedHost, { request }: Question): string | null => {
  if (joined.root.value === null) return joined.root.because
  const [alias] = request.aliases
  if (alias !== undefined)
    return `it asks for PCI devices by the alias ${alias.name}, whose definition lies with the API`
  return joined.root.value.inventories === null ? 'the inventory of the compute node has not been read' : null
}

const countHost = (
  joined: JoinedHost,
  question: Question,
  isOpen: boolean,
): Pick<HostFit, 'fits' | 'byPlacement' | 'atOnce' | 'isExact'> => {
  const root = joined.root.value
  const reason = uncountable(joined, question)
  if (reason !== null || root === null) return all(unknown(reason ?? 'it has no root provider'))
  if (!isOpen) return all(known(0))
  const room = roomOnRoot(question.request, root) ?? 0
  const isIsolated = question.request.groupPolicy === 'isolate'
  const { problem, unknownCard } = hostProblem({
    joined,
    needs: question.needs,
    room,
    isIsolated,
    filter: question.filter,
  })
  const byPlacement = countFits({ ...problem, cards: {} })
  const gap = joined.host.isSilent ? silence(joined) : unknownCard
  if (gap !== null)
    return { ...all(unknown(gap)), byPlacement: known(byPlacement.count), isExact: byPlacement.isExact }
  const fits = countFits(problem)
  return {
    fits: known(fits.count),
    byPlacement: known(byPlacement.count),
    atOnce: known(countAtOnce(problem).count),
    isExact: fits.isExact,
  }
}

const explainHost = (fleet: Fleet, joined: JoinedHost, question: Question): HostFit => {
  const blockers = hostBlockers(fleet, joined, question)
  return {
    host: joined.host.name,
    ...countHost(joined, question, blockers.length === 0),
    blockers,
    pgpus: pgpuFits(joined, question),
  }
}

const sum = (hosts: readonly HostFit[], name: 'fits' | 'byPlacement' | 'atOnce'): number =>
  hosts.reduce((total, host) => total + (host[name].value ?? 0), 0)

const report = (fleet: Fleet, question: Question): FitReport => {
  const { input } = fleet
  const gap = cloudGap(input, 'providers') ?? cloudGap(input, 'services')
  const hosts = fleet.hosts
    .filter(({ pgpus, strays }) => pgpus.length > 0 || strays.length > 0)
    .map((joined) => explainHost(fleet, joined, question))
    .map((host) => (gap === null ? host : { ...host, ...all(unknown(gap)) }))
  return {
    query: candidatesQuery(question.request),
    ignored: question.request.ignored,
    fits: sum(hosts, 'fits'),
    byPlacement: sum(hosts, 'byPlacement'),
    atOnce: sum(hosts, 'atOnce'),
    unknownHosts: hosts.filter(({ fits }) => fits.value === null).length,
    hosts,
    gap,
  }
}

/**
 * "Why can't this flavor land?" and "How many more fit?": host by host, pGPU by pGPU. `candidateRoots` are the roots of
 * Placement's own answer to `query`, when it was asked. Only hosts with an agent are counted.
 */
export const explainFlavorFit = (
  fleet: Fleet,
  flavor: FlavorLike,
  {
    availabilityZone = null,
    candidateRoots = null,
  }: { availabilityZone?: string | null; candidateRoots?: ReadonlySet<string> | null } = {},
): FitReport => {
  const request = readFlavorRequest(flavor)
  const { extraSpecs } = flavor
  return report(fleet, {
    request,
    needs: slotNeeds(request),
    extraSpecs,
    availabilityZone,
    candidateRoots,
    filter: () => true,
  })
}

/**
 * Whether two servers of a flavor fit one after the other, and whether two fit when asked for at once. Stops at the first
 * host that settles it. Null with a reason when a host in between could not be counted.
 */
export const canTakeTwo = (
  fleet: Fleet,
  flavor: FlavorLike,
): { oneByOne: boolean; atOnce: boolean; because: null } | { because: string } => {
  const request = readFlavorRequest(flavor)
  const { extraSpecs } = flavor
  const question: Question = {
    request,
    needs: slotNeeds(request),
    extraSpecs,
    availabilityZone: null,
    candidateRoots: null,
    filter: () => true,
  }
  let [fits, atOnce] = [0, 0]
  let because: string | null = null
  for (const joined of fleet.hosts) {
    if (joined.pgpus.length === 0 && joined.strays.length === 0) continue
    const host = countHost(joined, question, hostBlockers(fleet, joined, question).length === 0)
    because ??= host.atOnce.reason
    fits += host.fits.value ?? 0
    atOnce += host.atOnce.value ?? 0
    if (atOnce > 1) return { oneByOne: true, atOnce: true, because: null }
  }
  return because === null ? { oneByOne: fits > 1, atOnce: false, because } : { because }
}

/** The same for one vGPU of a type, whatever flavor brings it: no CPU, memory or traits are asked for. */
export const explainTypeFit = (fleet: Fleet, typeId: string): FitReport => {
  const classes = new Map<string, string>()
  const key = (joined: JoinedHost, address: string): string => `${joined.host.name} ${address}`
  for (const joined of fleet.hosts)
    for (const { pgpu } of joined.pgpus)
      for (const parent of expectedParents(joined, pgpu.address) ?? [])
        if (parent.typeId === typeId && parent.isSupported)
          classes.set(key(joined, parent.address), parent.resourceClass)
  const [resourceClass = 'VGPU'] = classes.values()
  const resources = { [resourceClass]: 1 }
  const request: FlavorRequest = {
    groups: [{ suffix: '', resources, required: [], forbidden: [] }],
    groupPolicy: null,
    aliases: [],
    ignored: [],
  }
  return report(fleet, {
    request,
    needs: slotNeeds(request),
    extraSpecs: {},
    availabilityZone: null,
    candidateRoots: null,
    filter: (joined, { address }) => classes.has(key(joined, address)),
  })
}
