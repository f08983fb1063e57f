import { type CardDetector, type HostDetector, type HostParts, NOTHING, onEachCard } from './detector'
import { offeredParentsOf, totalOf } from './offered'

const hasLimit = (host: HostParts, typeId: string): boolean =>
  host.nova?.mdev.types.some((type) => type.typeId === typeId && type.maxInstances !== null) ?? false

/** Without `max_instances` Nova offers one vGPU for every free VF, although the card holds fewer. */
const detect: CardDetector = (card, host) => {
  const capacity = card.pgpu.numbers.capacity.value
  if (host.nova === null || card.pgpu.framework !== 'mdev-sriov' || capacity === null) return NOTHING
  const parents = offeredParentsOf(card, host)
  const promised = parents.reduce((sum, parent) => sum + totalOf(parent), 0)
  const [first] = parents
  if (first === undefined || promised <= capacity) return NOTHING
  if (parents.some((parent) => hasLimit(host, parent.typeId))) return NOTHING
  return [
    {
      code: 'sriov-over-promise',
      severity: 'warning',
      sentence: `Nova offers ${promised}, ${card.pgpu.isMigBacked ? 'at most ' : ''}${capacity} fit`,
      detail: `Every free VF counts as one vGPU until the card is full; servers that Placement sends here then fail late. Set max_instances in [mdev_${first.typeId}] to the number that fit on all pGPUs of this type on the host (from Nova 29 on), or list only as many VFs as fit.`,
      pgpuAddress: card.pgpu.address,
    },
  ]
}

export const sriovOverPromise: HostDetector = {
  findings: {
    'sriov-over-promise': {
      title: 'Nova offers more vGPUs than fit',
      severities: ['warning'],
      detection:
        'nova.conf and sysfs: more VFs have a type than vGPUs of the type fit on the card, and max_instances is not set.',
      consequence: 'Servers that Placement sends here once the card is full fail late.',
      nextStep: 'Set max_instances to what fits, or list only as many VFs.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
