import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostRange } from '@/lib/domain/cloud/host-range'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { novaSince, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'provider-without-owner'
const OWNER = 'OWNER_NOVA'
const CONSEQUENCE = `Once every nova-compute is upgraded, the scheduler requires ${OWNER} on compute nodes and PCI devices. It then no longer selects these providers.`
const UPGRADE = `Upgrade nova-compute of this host to ${novaSince('ownerNova')} or newer and restart it. It sets the trait at its next update.`

const hasOwner = ({ traits }: ResourceProvider): boolean =>
  traits?.some((trait) => trait === OWNER || trait === 'OWNER_CYBORG') === true

/**
 * The providers of a host that the scheduler requires the trait of: the compute node and PCI devices, not the parents of mdevs.
 * Source: nova/scheduler/request_filter.py owner_nova_filter.
 */
const ownedProviders = ({ root, pgpus }: JoinedHost): ResourceProvider[] =>
  [
    ...(root.value === null ? [] : [root.value]),
    ...pgpus
      .flatMap(({ providers }) => providers)
      .filter(({ kind }) => kind === 'pci')
      .map(({ provider }) => provider),
  ].filter(({ traits }) => traits !== null)

const providersByHost = (fleet: Fleet) =>
  fleet.hosts.map((joined) => ({ joined, providers: ownedProviders(joined) }))

/** Reported only when another provider of the cloud has the trait. */
export const providerWithoutOwner: FleetDetector = {
  code: CODE,
  title: 'Compute nodes or PCI devices lack the trait OWNER_NOVA',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection:
      'Placement: some compute nodes or PCI devices of the cloud have the trait OWNER_NOVA, and those of the host do not.',
    consequence: CONSEQUENCE,
    nextStep: UPGRADE,
  },
  needs: ['providers'],
  detect: (fleet) => {
    const hosts = providersByHost(fleet)
    const isUsed = hosts.some(({ providers }) => providers.some(({ traits }) => traits?.includes(OWNER)))
    if (!isUsed) return []
    return hosts.flatMap(({ joined, providers }) => {
      const without = providers.filter((provider) => !hasOwner(provider))
      if (without.length === 0) return []
      return [
        makeFinding({
          code: CODE,
          severity: 'warning',
          subject: { kind: 'host', host: joined.host.name },
          sentence: `${formatNoun(without.length, 'resource provider lacks', 'resource providers lack')} ${OWNER}`,
          consequence: CONSEQUENCE,
          nextStep: `${UPGRADE} Do not remove the trait from other providers.`,
          // A nova-compute of an older release does not set the trait; without its version that of Nova's API counts.
          command:
            rangeHas(hostRange(fleet, joined), 'ownerNova') === false
              ? null
              : novaUnitOf(joined.host.inventory).restart,
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(
              fleet,
              'providers',
              `no ${OWNER} on ${listText(without.map(({ name }) => name))}; other providers have it`,
            ),
          ],
        }),
      ]
    })
  },
}
