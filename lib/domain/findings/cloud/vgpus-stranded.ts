import { closedBecause } from '@/lib/domain/cloud/closed-because'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { isComputeDown } from '@/lib/domain/cloud/is-compute-down'
import type { FindingCommand } from '@/lib/domain/findings/finding'
import { countForAliases } from '@/lib/domain/fit/alias-supply'
import { type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { lackingTraits } from '@/lib/domain/fit/lacking-traits'
import { reachingRequests, requestsByAliases } from '@/lib/domain/fit/reaching-requests'
import { headroomOnRoot } from '@/lib/domain/fit/served-by'
import { strandedOf } from '@/lib/domain/fit/stranded'
import { NO_FLAVOR, NO_HEADROOM } from '@/lib/domain/fleet/stranded-reasons'
import { gpuHeadroom } from '@/lib/domain/headroom/gpu-headroom'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { listText } from '@/lib/domain/wording'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, type Detected, hostReports, type JoinedHostDetector, makeFinding } from './detector'
import { traitCommand } from './trait-command'

const CODE = 'vgpus-stranded'

type Loss = {
  count: number
  what: 'vGPU' | 'card'
  because: string
  sourceToCorrect: 'nova' | 'placement' | null
  nextStep: string
  command: FindingCommand | null
}

const HEADROOM_LOSS = {
  because: NO_HEADROOM,
  sourceToCorrect: null,
  nextStep:
    'Migrate servers without vGPUs from this host, or create a smaller flavor. Then use “Reserve capacity” on the host’s page.',
  command: null,
} as const

/** Whether VFs or whole cards in Placement serve these aliases. */
const isServedByAlias = (
  fleet: Fleet,
  joined: JoinedHost,
  { aliases }: Pick<FlavorRequest, 'aliases'>,
): boolean =>
  joined.pgpus.some(
    ({ pgpu: { framework, address } }) =>
      (framework === 'vendor-vfio' || framework === 'passthrough') &&
      countForAliases(fleet, joined, { address, aliases }) > 0,
  )

/** vGPUs that servers of the best flavor can take of the whole host by CPU, memory and disk. */
const maxByHeadroom = (fleet: Fleet, joined: JoinedHost): number => {
  const root = joined.root.value
  const flavors = fleet.input.facts.flavors.value
  if (root === null || flavors === null) return Number.POSITIVE_INFINITY
  const ofMdevs = joined.pgpus.flatMap(({ providers }) => providers.filter(({ kind }) => kind === 'mdev'))
  const reaching = reachingRequests(flavors, ofMdevs, root)
  const reached = new Set(reaching.map(({ request }) => request))
  const byAlias = requestsByAliases(flavors)
    .filter((group) => isServedByAlias(fleet, joined, group))
    .flatMap(({ requests }) => requests)
    .filter((request) => !reached.has(request))
    .map((request) => ({ request, amount: 1 }))
  const sums = [...reaching, ...byAlias].map(({ request, amount }) => {
    const headroom = headroomOnRoot(request, root)
    return headroom === null ? Number.POSITIVE_INFINITY : headroom * amount
  })
  return sums.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...sums)
}

/** Free vGPUs of a card; a VF of vendor VFIO without a type does not count, and `vfs-without-type` reports it. */
const freeWithType = (entry: JoinedPgpu): number => {
  const { framework, numbers } = entry.pgpu
  return (framework === 'vendor-vfio' ? numbers.spare : freeByHardware(entry)).value ?? 0
}

/** A service that is down is repaired, not enabled; an enabled one needs no command that enables it. */
const serviceRepair = ({ service, host }: JoinedHost): Pick<Loss, 'nextStep' | 'command'> => {
  const isDisabled = service.value?.status === 'disabled'
  if (service.value === null)
    return { nextStep: 'Start nova-compute on this host, so that it registers its service.', command: null }
  if (service.value.isForcedDown)
    return {
      nextStep: 'Remove the forced-down state when the host works again.',
      command: sh`openstack compute service set --up ${shellOperands([service.value.host, 'nova-compute'])}`,
    }
  if (isComputeDown(service.value))
    return {
      nextStep: isDisabled
        ? 'Repair nova-compute on this host, then enable its service.'
        : 'Repair nova-compute on this host; its service is enabled.',
      command: novaUnitOf(host.inventory).restart,
    }
  return {
    nextStep: 'Enable the service when the work on the host is done.',
    command: sh`openstack compute service set --enable ${shellOperands([service.value.host, 'nova-compute'])}`,
  }
}

/** Free vGPUs whose providers lack the trait of their type, which a flavor requires: the flavor is right. */
const untaggedLoss = (fleet: Fleet, joined: JoinedHost, cards: readonly JoinedPgpu[]): Loss | null => {
  const flavors = fleet.input.facts.flavors.value ?? []
  const untagged = cards
    .filter((entry) => freeWithType(entry) > 0)
    .map((entry) => ({ entry, lacking: lackingTraits(joined, entry, flavors) }))
    .filter(({ lacking }) => lacking.length > 0)
  const lacking = untagged.flatMap((one) => one.lacking)
  const [first] = lacking
  if (first === undefined) return null
  const traits = listText([...new Set(lacking.flatMap((one) => one.traits))])
  return {
    count: untagged.reduce((sum, { entry }) => sum + freeWithType(entry), 0),
    what: 'vGPU',
    because: `${formatNoun(lacking.length, 'resource provider lacks', 'resource providers lack')} ${traits}, which ${first.flavorName} requires`,
    sourceToCorrect: 'placement',
    nextStep: `Add ${traits} to the resource providers, and let the console manage it.`,
    command: traitCommand(lacking.map((one) => ({ provider: one.provider, on: one.traits }))),
  }
}

const lossOf = (fleet: Fleet, joined: JoinedHost): Loss | null => {
  const offered = joined.pgpus.filter(({ providers }) => providers.length > 0)
  const isWhole = offered.every(({ pgpu }) => pgpu.framework === 'passthrough')
  const what = isWhole ? 'card' : 'vGPU'
  const free = offered.reduce((sum, entry) => sum + freeWithType(entry), 0)
  if (free === 0) return null
  const closed = closedBecause(joined)
  if (closed !== null)
    return { count: free, what, because: closed, sourceToCorrect: 'nova', ...serviceRepair(joined) }
  const flavorlessCards = offered.filter((entry) => strandedOf(fleet, joined, entry).because === NO_FLAVOR)
  const flavorless = flavorlessCards.reduce((sum, entry) => sum + freeWithType(entry), 0)
  const untagged = untaggedLoss(fleet, joined, flavorlessCards)
  if (untagged !== null) return untagged
  if (flavorless > 0)
    return {
      count: flavorless,
      what,
      because: NO_FLAVOR,
      sourceToCorrect: 'nova',
      nextStep: isWhole
        ? 'Create a flavor with pci_passthrough:alias of a [pci] alias that matches these cards. Their resource class in resources: would attach no device.'
        : 'Create a flavor that requests their resource class and traits.',
      command: null,
    }
  const max = maxByHeadroom(fleet, joined)
  if (max >= free) return null
  return { count: free - max, what, ...HEADROOM_LOSS }
}

/** Whole cards without a provider are counted by the flavors that request them by an alias. */
const cardLossOf = (fleet: Fleet, joined: JoinedHost): Loss | null => {
  const free = joined.pgpus
    .filter(({ pgpu, providers }) => pgpu.framework === 'passthrough' && providers.length === 0)
    .reduce((sum, entry) => sum + (freeByHardware(entry).value ?? 0), 0)
  if (free === 0 || closedBecause(joined) !== null) return null
  const { flavors } = gpuHeadroom(fleet, joined)
  const byCards = flavors.filter(
    ({ id, byGpus, shutOut }) => byGpus > 0 && shutOut === null && isByAlias(fleet, id),
  )
  const max = Math.max(...byCards.map(({ byHeadroom }) => byHeadroom))
  return byCards.length === 0 || max >= free ? null : { count: free - max, what: 'card', ...HEADROOM_LOSS }
}

const isByAlias = ({ input }: Fleet, id: string): boolean =>
  (input.facts.flavors.value ?? []).some(
    (flavor) => flavor.id === id && readFlavorRequest(flavor).aliases.length > 0,
  )

const findingOf = (fleet: Fleet, joined: JoinedHost, loss: Loss): Detected =>
  makeFinding({
    code: CODE,
    severity: 'warning',
    subject: { kind: 'host', host: joined.host.name },
    sentence: `${formatNoun(loss.count, `free ${loss.what}`)} cannot be scheduled: ${loss.because}`,
    consequence: `These ${loss.what}s are free, but no server can use them.`,
    nextStep: loss.nextStep,
    command: loss.command,
    sourceToCorrect: loss.sourceToCorrect,
    evidence: [
      hostReports(
        joined,
        'hardware',
        `${formatNoun(loss.count, loss.what, `${loss.what}s`)} free, and cannot be scheduled`,
      ),
      cloudReports(
        fleet,
        loss.because === NO_FLAVOR ? 'flavors' : loss.sourceToCorrect === 'nova' ? 'services' : 'providers',
        loss.because,
      ),
    ],
  })

/**
 * Free vGPUs and cards that no server can get: the service is disabled, no flavor requests them, or CPU, memory or disk
 * is missing. `vfs-without-type` reports VFs that lack their type.
 */
export const vgpusStranded: JoinedHostDetector = {
  code: CODE,
  title: 'Free capacity cannot be scheduled',
  reference: {
    severities: ['warning'],
    sources: ['nova', 'placement'],
    detection:
      'sysfs, Nova and Placement: free vGPUs or cards exist, and the service, the flavors, missing traits, CPU, memory or disk exclude every server.',
    consequence: 'The free capacity cannot be used.',
    nextStep:
      'Enable or repair nova-compute, create a flavor for the type, add the trait of the type, or move servers without GPUs away.',
  },
  needs: ['providers', 'services', 'flavors'],
  hostNeeds: ['root'],
  detect: (joined, fleet): Detected[] => {
    const loss = lossOf(fleet, joined) ?? cardLossOf(fleet, joined)
    return loss === null ? [] : [findingOf(fleet, joined, loss)]
  },
}
