import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { closedBecause, freeByHardware, strandedOf } from '@/lib/domain/cloud/stranded'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { reachOf, roomOnRoot } from '@/lib/domain/fit/reach'
import { plural } from '@/lib/domain/wording'
import { cloudSaid, type Detected, type HostDetector, hostSaid, makeFinding } from './detector'

const CODE = 'vgpus-stranded'

type Loss = { count: number; because: string; blame: 'nova' | null; nextStep: string; command: string | null }

const NO_FLAVOR = 'no flavor asks for them'

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
      because: closed,
      blame: 'nova',
      nextStep: 'Enable the service when the work on the host is done, or repair nova-compute.',
      command: `openstack compute service set --enable ${service} nova-compute`,
    }
  const flavorless = joined.pgpus
    .map((entry) => strandedOf(fleet, joined, entry))
    .filter(({ because }) => because === NO_FLAVOR)
    .reduce((sum, { value }) => sum + (value ?? 0), 0)
  if (flavorless > 0)
    return {
      count: flavorless,
      because: NO_FLAVOR,
      blame: 'nova',
      nextStep: 'Make a flavor that asks for their resource class and traits.',
      command: null,
    }
  const most = mostByRoom(fleet, joined)
  if (most >= free) return null
  return {
    count: free - most,
    because: 'the host has no CPU, memory or disk left beside them',
    blame: null,
    nextStep: 'Move servers without vGPUs away from this host, or make a smaller flavor.',
    command: null,
  }
}

/** Free vGPUs that no server can get: service off, no flavor for them, or no CPU, memory or disk beside them. */
export const vgpusStranded: HostDetector = {
  code: CODE,
  needs: ['providers', 'services', 'flavors'],
  hostNeeds: ['root'],
  detect: (joined, fleet): Detected[] => {
    const loss = lossOf(fleet, joined)
    if (loss === null) return []
    return [
      makeFinding({
        code: CODE,
        severity: 'warning',
        subject: { kind: 'host', host: joined.host.name },
        sentence: `${plural(loss.count, 'free vGPU is', 'free vGPUs are')} out of reach: ${loss.because}`,
        consequence: 'These vGPUs earn nothing although they are free.',
        nextStep: loss.nextStep,
        command: loss.command,
        blame: loss.blame,
        evidence: [
          hostSaid(joined, 'hardware', `${plural(loss.count, 'vGPU', 'vGPUs')} free and out of reach`),
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
