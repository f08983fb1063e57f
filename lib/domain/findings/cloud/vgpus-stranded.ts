import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { closedBecause, strandedOf } from '@/lib/domain/cloud/stranded'
import { gpuRoom } from '@/lib/domain/fence/gpu-room'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { reachOf, roomOnRoot } from '@/lib/domain/fit/reach'
import { plural } from '@/lib/domain/wording'
import { cloudSaid, type Detected, type HostDetector, hostSaid, makeFinding } from './detector'

const CODE = 'vgpus-stranded'

type Loss = {
  count: number
  what: 'vGPU' | 'card'
  because: string
  blame: 'nova' | null
  nextStep: string
  command: string | null
}

const NO_FLAVOR = 'no flavor asks for them'

const NO_ROOM = {
  because: 'the host has no CPU, memory or disk left beside them',
  blame: null,
  nextStep:
    'Move servers without vGPUs away from this host, or make a smaller flavor. Then keep room: “Keep room for GPUs” on the host’s page.',
  command: null,
} as const

/** vGPUs that servers of the best flavor can take of the whole host by CPU, memory and disk. */
const mostByRoom = (fleet: Fleet, joined: JoinedHost): number => {
  const root = joined.root.value
  if (root === null) return Number.POSITIVE_INFINITY
  const providers = joined.pgpus.flatMap((entry) => entry.providers)
  const sums = (fleet.input.facts.flavors.value ?? [])
    .filter((flavor) => !flavor.isDisabled)
    .map((flavor) => {
      const request = readFlavorRequest(flavor)
      const reach = providers
        .map((provider) => reachOf(request, provider, root))
        .find((entry) => entry !== null)
      if (reach === undefined) return null
      const room = roomOnRoot(request, root)
      return room === null ? Number.POSITIVE_INFINITY : room * reach.amount
    })
    .filter((sum) => sum !== null)
  return sums.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...sums)
}

const lossOf = (fleet: Fleet, joined: JoinedHost): Loss | null => {
  const free = joined.pgpus
    .filter(({ providers }) => providers.length > 0)
    .reduce((sum, entry) => sum + (freeByHardware(entry).value ?? 0), 0)
  if (free === 0) return null
  const closed = closedBecause(joined)
  const service = joined.service.value?.host ?? joined.host.name
  if (closed !== null)
    return {
      count: free,
      what: 'vGPU',
      because: closed,
      blame: 'nova',
      nextStep: 'Enable the service when the work on the host is done, or repair nova-compute.',
      command: `openstack compute service set --enable ${service} nova-compute`,
    }
  const flavorless = joined.pgpus
    .filter(({ providers }) => providers.length > 0)
    .map((entry) => strandedOf(fleet, joined, entry))
    .filter(({ because }) => because === NO_FLAVOR)
    .reduce((sum, { value }) => sum + (value ?? 0), 0)
  if (flavorless > 0)
    return {
      count: flavorless,
      what: 'vGPU',
      because: NO_FLAVOR,
      blame: 'nova',
      nextStep: 'Make a flavor that asks for their resource class and traits.',
      command: null,
    }
  const most = mostByRoom(fleet, joined)
  if (most >= free) return null
  return { count: free - most, what: 'vGPU', ...NO_ROOM }
}

/** Whole cards of an alias have no provider here, so they are counted by the flavors that ask for them. */
const cardLossOf = (fleet: Fleet, joined: JoinedHost): Loss | null => {
  const free = joined.pgpus
    .filter(({ pgpu, providers }) => pgpu.framework === 'passthrough' && providers.length === 0)
    .reduce((sum, entry) => sum + (freeByHardware(entry).value ?? 0), 0)
  if (free === 0 || closedBecause(joined) !== null) return null
  const { flavors } = gpuRoom(fleet, joined)
  const byCards = flavors.filter(
    ({ id, byGpus, shutOut }) => byGpus > 0 && shutOut === null && isByAlias(fleet, id),
  )
  const most = Math.max(...byCards.map(({ byRoom }) => byRoom))
  return byCards.length === 0 || most >= free ? null : { count: free - most, what: 'card', ...NO_ROOM }
}

const isByAlias = ({ input }: Fleet, id: string): boolean =>
  (input.facts.flavors.value ?? []).some(
    (flavor) => flavor.id === id && readFlavorRequest(flavor).aliases.length > 0,
  )

/** Free vGPUs and cards that no server can get: service off, no flavor for them, or no CPU, memory or disk beside them. */
export const vgpusStranded: HostDetector = {
  code: CODE,
  needs: ['providers', 'services', 'flavors'],
  hostNeeds: ['root'],
  detect: (joined, fleet): Detected[] => {
    const loss = lossOf(fleet, joined) ?? cardLossOf(fleet, joined)
    if (loss === null) return []
    return [
      makeFinding({
        code: CODE,
        severity: 'warning',
        subject: { kind: 'host', host: joined.host.name },
        sentence: `${plural(loss.count, `free ${loss.what} is`, `free ${loss.what}s are`)} out of reach: ${loss.because}`,
        consequence: `These ${loss.what}s earn nothing although they are free.`,
        nextStep: loss.nextStep,
        command: loss.command,
        blame: loss.blame,
        evidence: [
          hostSaid(
            joined,
            'hardware',
            `${plural(loss.count, loss.what, `${loss.what}s`)} free and out of reach`,
          ),
          cloudSaid(
            fleet,
            loss.because === NO_FLAVOR ? 'flavors' : loss.blame === null ? 'providers' : 'services',
            loss.because,
          ),
        ],
      }),
    ]
  },
}
