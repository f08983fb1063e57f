import type { Fleet, GpuProvider } from '@/lib/domain/cloud/fleet-types'
import { listText, plural } from '@/lib/domain/wording'
import { sh } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'provider-without-owner'
const OWNER = 'OWNER_NOVA'

const hasOwner = ({ provider }: GpuProvider): boolean =>
  provider.traits?.some((trait) => trait === OWNER || trait === 'OWNER_CYBORG') === true

const gpuProviders = (fleet: Fleet) =>
  fleet.hosts.map((joined) => ({
    joined,
    providers: joined.pgpus
      .flatMap(({ providers }) => providers)
      .filter(({ provider }) => provider.traits !== null),
  }))

/**
 * Nova 34 sets OWNER_NOVA on its providers of vGPUs, and its scheduler requires the trait once every nova-compute is new
 * enough. A provider without it is then never selected. Only a cloud that has the trait somewhere can tell.
 */
export const providerWithoutOwner: FleetDetector = {
  code: CODE,
  title: 'GPU providers lack the trait OWNER_NOVA',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection:
      'Placement: some GPU providers of the cloud have the trait OWNER_NOVA, and providers of the host do not.',
    consequence:
      'When every nova-compute has been upgraded, the scheduler no longer selects these providers.',
    nextStep: 'Upgrade and restart nova-compute of the host. It sets the trait at its next update.',
  },
  needs: ['providers'],
  detect: (fleet) => {
    const hosts = gpuProviders(fleet)
    const isUsed = hosts.some(({ providers }) =>
      providers.some(({ kind, provider }) => kind === 'mdev' && provider.traits?.includes(OWNER) === true),
    )
    if (!isUsed) return []
    return hosts.flatMap(({ joined, providers }) => {
      const without = providers.filter((entry) => entry.kind === 'mdev' && !hasOwner(entry))
      if (without.length === 0) return []
      return [
        makeFinding({
          code: CODE,
          severity: 'warning',
          subject: { kind: 'host', host: joined.host.name },
          sentence: `${plural(without.length, 'GPU provider lacks', 'GPU providers lack')} ${OWNER}`,
          consequence: `When every nova-compute has been upgraded, the scheduler requires ${OWNER} and no longer selects these providers.`,
          nextStep:
            'Upgrade and restart nova-compute of this host: it sets the trait at its next update. Do not remove the trait.',
          command: sh`systemctl restart nova-compute`,
          blame: 'placement',
          evidence: [
            cloudReports(
              fleet,
              'providers',
              `no ${OWNER} on ${listText(without.map(({ provider }) => provider.name))}; other hosts have it`,
            ),
          ],
        }),
      ]
    })
  },
}
