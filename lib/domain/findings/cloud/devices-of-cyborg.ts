import { cyborgProviders, OWNER_CYBORG } from '@/lib/domain/cloud/provider-owner'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'devices-of-cyborg'

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
          sentence: `Cyborg manages ${formatNoun(owned.length, 'resource provider')} of this host`,
          consequence:
            'Flavors reach these devices by accel:device_profile. They are not counted here, and an mdev that Cyborg created is not an orphan.',
          nextStep: 'Manage these devices in Cyborg. Do not list them in [devices] or [pci] device_spec.',
          command: null,
          sourceToCorrect: null,
          evidence: [
            cloudReports(fleet, 'providers', `${OWNER_CYBORG} on ${listText(owned.map(({ name }) => name))}`),
          ],
        }),
      ]
    }),
}
