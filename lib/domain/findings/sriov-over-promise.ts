import type { Detector, HostFacts } from './detector'
import { offeredParents, totalOf } from './offered'

const hasLimit = (host: HostFacts, typeId: string): boolean =>
  host.nova?.mdev.types.some((type) => type.typeId === typeId && type.maxInstances !== null) ?? false

/** Without `max_instances` Nova offers one vGPU for every free VF, although the card holds fewer. */
export const sriovOverPromise: Detector = (host) =>
  (host.nova === null ? [] : host.cards).flatMap((card) => {
    const capacity = card.pgpu.numbers.capacity.value
    const parents = offeredParents({ ...host, cards: [card] })
    const promised = parents.reduce((sum, parent) => sum + totalOf(parent), 0)
    const [first] = parents
    if (card.pgpu.framework !== 'mdev-sriov' || capacity === null || first === undefined) return []
    if (promised <= capacity || parents.some((parent) => hasLimit(host, parent.typeId))) return []
    return [
      {
        code: 'sriov-over-promise',
        severity: 'warning',
        sentence: `Nova offers ${promised}, ${card.pgpu.isMigBacked ? 'at most ' : ''}${capacity} fit`,
        detail: `Every free VF counts as one vGPU until the card is full; servers that Placement sends here then fail late. Set max_instances in [mdev_${first.typeId}] to the number that fit on all pGPUs of this type on the host (from Nova 29 on), or list only as many VFs as fit.`,
        pgpuAddress: card.pgpu.address,
      },
    ]
  })
