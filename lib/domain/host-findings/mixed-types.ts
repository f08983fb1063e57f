import { listText } from '@/lib/domain/wording'
import { naturalOrder } from '@/lib/util/natural-order'
import { type CardDetector, type HostDetector, NOTHING, onEachCard, typeLabel } from './detector'

/** vGPUs of more than one type exist on a card: fine for one size, MIG and mixed-size mode, and worth knowing. */
const detect: CardDetector = (card) => {
  const { vgpus } = card.facts
  if (vgpus.every(({ typeId }) => typeId === vgpus[0]?.typeId)) return NOTHING
  const typeIds = [...new Set(vgpus.map((vgpu) => vgpu.typeId))].filter((id) => id !== null)
  if (typeIds.length < 2) return NOTHING
  // The order of the vGPUs is that of their ids, which are random.
  const names = listText(typeIds.map((typeId) => typeLabel(card, typeId)).toSorted(naturalOrder))
  return [
    {
      code: 'mixed-types',
      severity: 'info',
      sentence: `the card has vGPUs of ${names}`,
      detail:
        'Its capacity is counted in the type of most of its vGPUs. Nova offers the type that nova.conf assigns to each mdev parent. To request one of several types, a flavor needs a trait or a resource class.',
      pgpuAddress: card.pgpu.address,
    },
  ]
}

export const mixedTypes: HostDetector = {
  findings: {
    'mixed-types': {
      title: 'vGPUs of several types on one pGPU',
      severities: ['info'],
      detection: 'sysfs: vGPUs of more than one type exist on a pGPU.',
      consequence: 'Flavors need a trait or a resource class to request one of the types.',
      nextStep: 'Give each type its own trait or resource class, or use one type per card.',
      source: 'hardware',
      isRisk: true,
    },
  },
  detect: onEachCard(detect),
}
