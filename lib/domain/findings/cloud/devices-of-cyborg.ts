import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { listText, plural } from '@/lib/domain/wording'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'devices-of-cyborg'

const OWNER = 'OWNER_CYBORG'

/** Per fleet: the providers of all hosts are read once. */
const byRoot = new WeakMap<Fleet, ReadonlyMap<string, readonly ResourceProvider[]>>()

const readByRoot = (fleet: Fleet): ReadonlyMap<string, readonly ResourceProvider[]> =>
  groupBy(
    [...fleet.providers.values()].filter(({ traits }) => traits?.includes(OWNER)),
    ({ rootUuid }) => rootUuid,
  )

/** os-traits OWNER_CYBORG: Cyborg sets it on the providers that it creates below the compute node. */
const cyborgProviders = (fleet: Fleet, { root }: JoinedHost): readonly ResourceProvider[] => {
  const providers = byRoot.get(fleet) ?? readByRoot(fleet)
  byRoot.set(fleet, providers)
  return providers.get(root.value?.uuid ?? '') ?? []
}

/** Whether a pGPU may be Cyborg's: the host has providers of Cyborg, and the pGPU has none of another owner. */
export const mayBeCyborgs = (fleet: Fleet, joined: JoinedHost, address: string): boolean =>
  cyborgProviders(fleet, joined).length > 0 &&
  joined.pgpus
    .filter(({ pgpu }) => pgpu.address === address)
    .every(({ providers }) => providers.every(({ provider }) => provider.traits?.includes(OWNER) !== false))

/** Devices of a host that Cyborg assigns, not Nova. */
export const devicesOfCyborg: FleetDetector = {
  code: CODE,
  title: 'Cyborg manages devices of a host',
  reference: {
    severities: ['info'],
    sources: [],
    detection: 'Placement: providers of a host have the trait OWNER_CYBORG.',
    consequence: 'Flavors reach these devices by accel:device_profile. The console does not count them.',
    nextStep: 'Manage these devices in Cyborg. Do not list them in [devices] or [pci] device_spec.',
  },
  needs: ['providers'],
  detect: (fleet) =>
    fleet.hosts.flatMap((joined) => {
      const owned = cyborgProviders(fleet, joined)
      if (owned.length === 0) return []
      return [
        makeFinding({
          code: CODE,
          severity: 'info',
          subject: { kind: 'host', host: joined.host.name },
          sentence: `Cyborg manages ${plural(owned.length, 'resource provider', 'resource providers')} of this host`,
          consequence:
            'Flavors reach these devices by accel:device_profile. They are not counted here, and an mdev that Cyborg created is not an orphan.',
          nextStep: 'Manage these devices in Cyborg. Do not list them in [devices] or [pci] device_spec.',
          command: null,
          blame: null,
          evidence: [
            cloudReports(fleet, 'providers', `${OWNER} on ${listText(owned.map(({ name }) => name))}`),
          ],
        }),
      ]
    }),
}
