import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { type CardDetector, type HostDetector, type HostParts, NOTHING, onEachCard } from './detector'
import { type OfferedParent, offeredParentsOf, totalOf } from './offered'

const hasLimit = (host: HostParts, typeId: string): boolean =>
  host.nova?.mdev.types.some((type) => type.typeId === typeId && type.maxInstances !== null) ?? false

type Offer = { typeId: string; promised: number; fitting: number }

/** In MIG mode each type has its own GPU instances, so types are compared one by one. */
const offersByType = (card: Card, parents: readonly OfferedParent[]): Offer[] =>
  [...new Set(parents.map(({ typeId }) => typeId))].flatMap((typeId) => {
    const own = parents.filter((parent) => parent.typeId === typeId)
    const creatable = card.pgpu.supportedTypes?.find((type) => type.typeId === typeId)?.creatable ?? null
    if (creatable === null) return []
    const made = card.facts.vgpus.filter((vgpu) => vgpu.typeId === typeId).length
    return [
      { typeId, promised: own.reduce((sum, parent) => sum + totalOf(parent), 0), fitting: made + creatable },
    ]
  })

const offersOfCard = (card: Card, parents: readonly OfferedParent[]): Offer[] => {
  const [first] = parents
  const capacity = card.pgpu.numbers.capacity.value
  if (first === undefined) return []
  if (card.pgpu.isMigBacked && card.facts.smi?.gpuInstances != null) return offersByType(card, parents)
  if (capacity === null) return []
  const promised = parents.reduce((sum, parent) => sum + totalOf(parent), 0)
  return [{ typeId: first.typeId, promised, fitting: capacity }]
}

/** Without `max_instances` Nova offers one vGPU for every free VF, although the card holds fewer. */
const detect: CardDetector = (card, host) => {
  if (host.nova === null || card.pgpu.framework !== 'mdev-sriov') return NOTHING
  const parents = offeredParentsOf(card, host)
  const offer = offersOfCard(card, parents).find(({ promised, fitting }) => promised > fitting)
  if (offer === undefined || parents.some((parent) => hasLimit(host, parent.typeId))) return NOTHING
  const { typeId, promised, fitting } = offer
  return [
    {
      code: 'sriov-over-promise',
      severity: 'warning',
      sentence: `Nova offers ${promised} vGPUs, but ${card.pgpu.isMigBacked ? 'at most ' : ''}${fitting} fit`,
      detail: `Every free VF counts as one vGPU until the card is full. Servers that Placement sends here then fail late. Set max_instances in [mdev_${typeId}] to the number that fit on all pGPUs of this type on the host (from Nova 29 on), or list only as many VFs as fit.`,
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
      nextStep: 'Set max_instances to the number that fits, or list only as many VFs.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
