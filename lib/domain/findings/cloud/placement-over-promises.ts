import { advertisedOf } from '@/lib/domain/cloud/advertised'
import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import { isOverPromised, sourceOfOverPromise } from '@/lib/domain/cloud/source-to-correct'
import { novaConf, novaConfName } from '@/lib/util/encode/nova-conf'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

/** SR-IOV: every free VF is in Placement as one vGPU until the card is full, so more are advertised than fit. */
export const placementOverPromises: JoinedHostDetector = {
  code: 'placement-over-promises',
  title: 'Placement offers more vGPUs than fit',
  reference: {
    severities: ['warning'],
    sources: ['nova.conf', 'placement'],
    detection:
      'Placement and sysfs: the total of all VFs of an SR-IOV card exceeds the number of vGPUs that fit.',
    consequence: 'Servers that Placement sends to a full card fail late, in nova-compute.',
    nextStep:
      'Set max_instances (Nova 29 and newer), or list fewer VFs in device_addresses. If nova.conf is correct, check for leftover providers.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap((entry) => {
      const { pgpu } = entry
      const { value: total } = advertisedOf(fleet, joined, entry).total
      const capacity = pgpu.numbers.capacity.value
      const type = pgpu.configuredType
      if (!isOverPromised(entry, total) || type === null) return []
      const parents = expectedParents(joined, pgpu.address) ?? []
      const limit = parents[0]?.maxInstances ?? null
      const sourceToCorrect = sourceOfOverPromise(entry, parents)
      const isForeign = sourceToCorrect === 'placement'
      const count = formatNoun(entry.providers.length, 'provider')
      return [
        makeFinding({
          code: 'placement-over-promises',
          severity: 'warning',
          subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
          sentence: `Placement offers ${total} vGPUs, but ${pgpu.isMigBacked ? 'at most ' : ''}${capacity} fit`,
          consequence: 'Servers that Placement sends here once the card is full fail late, in nova-compute.',
          nextStep: isForeign
            ? 'nova.conf lists no more VFs than fit. Check for providers of this card without a device, and for inventories that were written manually.'
            : `Set max_instances of ${type.typeId} to the number that fits on all its pGPUs of this host (Nova 29 and newer), or list only ${capacity} VFs of this card in device_addresses.`,
          command:
            isForeign || capacity === null
              ? null
              : novaConf`[mdev_${novaConfName(type.typeId)}]\nmax_instances = ${capacity}`,
          sourceToCorrect,
          evidence: [
            cloudReports(fleet, 'providers', `${total} over ${count}`),
            hostReports(joined, 'hardware', `max_instance of ${pgpu.currentType?.shortName}: ${capacity}`),
            hostReports(
              joined,
              'nova.conf',
              isForeign
                ? `lists ${formatNoun(parents.length, 'VF')} of it`
                : limit === null
                  ? 'max_instances is not set'
                  : `max_instances = ${limit}`,
            ),
          ],
        }),
      ]
    }),
}
