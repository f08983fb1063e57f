import type { Fleet, JoinedHost, UnseenHost } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { aliasProblem } from './alias-meaning'
import { aliasSupply } from './alias-supply'
import { countDevices, countProblem, type DeviceCounts } from './count-devices'
import { countFits } from './count-fits'
import type { FitBlocker } from './fit-blocker'
import { candidatesQuery, type FlavorLike, type FlavorRequest, readFlavorRequest } from './flavor-request'
import { hostBlockers, pgpuBlockers } from './host-blockers'
import { hostProblem, type ProviderFilter, type SlotNeed, slotNeeds } from './host-problem'
import { serversByNodes } from './node-headroom'
import { withPciGroups } from './pci-groups'
import { headroomOnRoot } from './served-by'

type PgpuFit = {
  address: string
  /** Servers that this pGPU alone could take by hardware and Placement; unknown with a reason. */
  fits: Known
  blockers: readonly FitBlocker[]
}

/** Servers that a host takes. */
export type HostCounts = {
  /** That really fit now: hardware, Placement, CPU, memory, disk and the service taken together. */
  fits: Known
  /**
   * What Placement alone would take. Devices by alias and NUMA nodes, for which it is not asked, count as the host has them.
   */
  byPlacement: Known
  /** The most that one request for several servers can put here (bug 1874664). */
  atOnce: Known
  /** False: the groups ask for unlike amounts, and `fits` is a number that surely fits. */
  isExact: boolean
  /** Where `fits` is unknown because of single cards: what the others surely take. Else the same as `fits`, or 0. */
  surely: { fits: number; atOnce: number }
}

export type HostFit = HostCounts & {
  host: string
  /** Of the compute node; null when it is not found in Placement. */
  rootUuid: string | null
  /** False: Placement has GPUs there, and no agent reports from it. */
  hasAgent: boolean
  blockers: readonly FitBlocker[]
  pgpus: readonly PgpuFit[]
  /** The flavor also requests PCI devices by alias, which Placement's answer does not cover. */
  isBeyondPlacement: boolean
}

/** Why a flavor (or a type) lands where it does, by what was read last. */
export type FitReport = {
  /** The literal call that Nova sends. */
  query: string
  ignored: FlavorRequest['ignored']
  hosts: readonly HostFit[]
  /** Why the cloud's words are too old to count by; null when they are not. The numbers are then what they were. */
  gap: string | null
}

/** The request that is checked on every host. */
export type FitQuestion = {
  request: FlavorRequest
  needs: readonly SlotNeed[]
  /** Null: the question is about a vGPU type. */
  flavor: FlavorLike | null
  availabilityZone: string | null
  filter: ProviderFilter
}

const everyProvider: ProviderFilter = () => true

/** Of a server of the flavor, in one availability zone or in any. */
export const flavorQuestion = (flavor: FlavorLike, availabilityZone: string | null = null): FitQuestion => {
  const request = readFlavorRequest(flavor)
  return {
    request,
    needs: slotNeeds(request),
    flavor,
    availabilityZone,
    filter: everyProvider,
  }
}

/** What a host has for a question: providers of Placement, and devices by alias. */
const problemOf = (
  fleet: Fleet,
  joined: JoinedHost,
  { question: { needs, request, filter }, headroom }: { question: FitQuestion; headroom: number },
) => {
  const ofProviders = hostProblem({
    joined,
    needs,
    headroom,
    isIsolated: request.groupPolicy === 'isolate',
    filter: (provider) => filter(joined, provider),
  })
  const { problem } = ofProviders
  const supply = aliasSupply(fleet, joined, request)
  return {
    problem: {
      ...problem,
      slots: [...problem.slots, ...supply.slots],
      bins: [...problem.bins, ...supply.bins],
    },
    unknownCard: ofProviders.unknownCard ?? supply.unknownCard,
    unknownCards: [...ofProviders.unknownCards, ...supply.unknownCards],
    /** Hosts claim devices server by server, so for several at once only Placement's candidates count. */
    withoutAliases: problem.slots,
  }
}

const pgpuFits = (fleet: Fleet, joined: JoinedHost, question: FitQuestion): PgpuFit[] =>
  joined.pgpus.map((entry) => {
    const blockers = pgpuBlockers(fleet, joined, entry, question)
    const aliasGap = aliasProblem(fleet, question.request)
    if (aliasGap !== null)
      return {
        address: entry.pgpu.address,
        fits: aliasGap.state === 'missing' ? known(0) : unknown(aliasGap.because),
        blockers,
      }
    const { problem, unknownCard } = problemOf(
      fleet,
      { ...joined, pgpus: [entry], strays: [] },
      { question, headroom: Number.MAX_SAFE_INTEGER },
    )
    const gap = joined.host.isSilent ? silence(joined) : unknownCard
    const fits = gap === null ? known(countFits(problem).count) : unknown(gap)
    return { address: entry.pgpu.address, fits, blockers }
  })

const silence = ({ host }: JoinedHost): string => `${host.name} has been silent since ${host.seenAt}`

const all = (number: Known): HostCounts => ({
  fits: number,
  byPlacement: number,
  atOnce: number,
  isExact: true,
  surely: { fits: number.value ?? 0, atOnce: number.value ?? 0 },
})

/** Why a host can't be counted at all; null when it can. */
const uncountable = (fleet: Fleet, joined: JoinedHost, { request }: FitQuestion): string | null => {
  if (joined.root.value === null) return joined.root.because
  const problem = aliasProblem(fleet, request)
  if (problem?.state === 'unknown') return problem.because
  return joined.root.value.inventories === null ? 'the inventory of the compute node has not been read' : null
}

/** Servers that the NUMA nodes take; Placement does not know them. No limit where the agent does not report them. */
const nodeLimit = (joined: JoinedHost, { flavor }: FitQuestion): number =>
  (flavor === null ? null : serversByNodes(joined, flavor)?.value) ?? Number.POSITIVE_INFINITY

/** Requests for aliases and for one vGPU type differ by more than the devices that are alike. */
const devicesFor = (fleet: Fleet, joined: JoinedHost, question: FitQuestion): DeviceCounts =>
  question.filter === everyProvider && question.request.aliases.length === 0
    ? countDevices(fleet, joined, question.request)
    : countProblem(problemOf(fleet, joined, { question, headroom: Number.POSITIVE_INFINITY }))

/** Of most hosts for most flavors. */
export const NOTHING = all(known(0))

/** What a host takes; `isOpen` is false where something blocks the whole host. */
export const countHost = (
  fleet: Fleet,
  joined: JoinedHost,
  question: FitQuestion,
  isOpen: () => boolean,
): HostCounts => {
  const root = joined.root.value
  const reason = uncountable(fleet, joined, question)
  if (reason !== null || root === null) return all(unknown(reason ?? 'it has no root provider'))
  const devices = devicesFor(fleet, joined, question)
  const { count: ofDevices, isExact } = devices.byPlacement
  // Placement has no candidate, so the state of the cards does not matter.
  if (ofDevices === 0 && isExact) return NOTHING
  const headroom = Math.min(headroomOnRoot(question.request, root) ?? 0, nodeLimit(joined, question))
  const count = Math.min(ofDevices, headroom)
  if ((count === 0 && isExact) || !isOpen()) return NOTHING
  const reported = { byPlacement: known(count), isExact }
  if (joined.host.isSilent) return { ...all(unknown(silence(joined))), ...reported }
  const fits = Math.min(devices.surely.count, headroom)
  const surely = { fits, atOnce: Math.min(fits, devices.atOnce.count) }
  const { unknownCard } = devices
  if (unknownCard !== null) return { ...all(unknown(unknownCard)), ...reported, surely }
  return { ...reported, fits: known(surely.fits), atOnce: known(surely.atOnce), surely }
}

/** Whether a host is one to ask: it has GPUs, or providers of GPUs that it has no more. */
export const hasGpus = ({ pgpus, strays }: JoinedHost): boolean => pgpus.length > 0 || strays.length > 0

const explainHost = (fleet: Fleet, joined: JoinedHost, question: FitQuestion): HostFit => {
  const blockers = hostBlockers(fleet, joined, question)
  return {
    host: joined.host.name,
    rootUuid: joined.root.value?.uuid ?? null,
    hasAgent: true,
    ...countHost(fleet, joined, question, () => blockers.length === 0),
    blockers,
    pgpus: pgpuFits(fleet, joined, question),
    isBeyondPlacement: question.request.aliases.length > 0,
  }
}

/** A host without an agent: only Placement's values are known. */
const explainUnseen = (fleet: Fleet, unseen: UnseenHost, question: FitQuestion): HostFit => {
  const { hypervisorHostname: host, providers } = unseen
  const rootUuid = providers[0]?.provider.rootUuid ?? null
  const root = fleet.providers.get(rootUuid ?? '') ?? null
  const isBeyondPlacement = question.request.aliases.length > 0
  const rest = { host, rootUuid, hasAgent: false, blockers: [], pgpus: [], isBeyondPlacement }
  const noAgent = unknown('no agent reports from it')
  const headroom = root === null ? null : headroomOnRoot(question.request, root)
  if (headroom === null || isBeyondPlacement) return { ...rest, ...all(noAgent) }
  const { problem } = hostProblem({
    joined: { root: { value: root }, pgpus: [], strays: providers },
    needs: question.needs,
    headroom,
    isIsolated: question.request.groupPolicy === 'isolate',
    filter: (provider) => question.filter(null, provider),
  })
  const { count, isExact } = countFits({ ...problem, cards: {} })
  if (count === 0 && isExact) return { ...rest, ...all(known(0)) }
  return { ...rest, ...all(noAgent), byPlacement: known(count), isExact }
}

/** Hosts without an agent that a question concerns: those whose providers could serve it. */
export const unseenFits = (fleet: Fleet, question: FitQuestion): HostFit[] =>
  fleet.unseen
    .map((unseen) => explainUnseen(fleet, unseen, question))
    .filter(({ byPlacement }) => byPlacement.value !== 0)

/** Why the words of Placement and Nova must not be counted by now; null when they are fresh. */
export const fitGap = ({ input }: Fleet): string | null =>
  cloudGap(input, 'providers') ?? cloudGap(input, 'services')

/**
 * Explains host by host and pGPU by pGPU, by the last reading, why a flavor fits or not and how many more fit. `judgeInSteps`
 * compares it with Placement's own answer. A step per host.
 */
export function* explainInSteps(fleet: Fleet, question: FitQuestion): Generator<void, FitReport> {
  const hosts: HostFit[] = []
  for (const joined of fleet.hosts.filter(hasGpus)) {
    hosts.push(explainHost(fleet, joined, question))
    yield
  }
  return {
    query: candidatesQuery(withPciGroups(fleet, question.request)),
    ignored: question.request.ignored,
    hosts: [...hosts, ...unseenFits(fleet, question)],
    gap: fitGap(fleet),
  }
}
