import { specOfCard } from '@/lib/domain/pgpu/handed-out-by'
import { type CardDetector, type HostDetector, isMdevCard, NOTHING, onEachCard } from './detector'

/** nova.conf slices a card by mdev and hands the same card out whole. */
const detect: CardDetector = (card, { nova }) => {
  const { facts, pgpu } = card
  if (!isMdevCard(card) || pgpu.configuredType === null || facts.gpu.vendorId === null) return NOTHING
  const spec = specOfCard(facts.gpu, nova?.deviceSpecs.specs ?? [])
  if (spec === null) return NOTHING
  return [
    {
      code: 'claimed-twice',
      severity: 'warning',
      sentence: `nova.conf configures the card for ${pgpu.configuredType.typeId} and for PCI passthrough`,
      detail: `${pgpu.configuredType.source} and ${spec.source} both match this card. A guest that is assigned the whole card removes every vGPU. Exclude the card from one of them by its address.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const claimedTwice: HostDetector = {
  findings: {
    'claimed-twice': {
      title: 'A pGPU is configured for vGPUs and for passthrough',
      severities: ['warning'],
      detection: 'nova.conf and sysfs: an mdev type and [pci] device_spec both match the same pGPU.',
      consequence: 'A guest that is assigned the whole card removes every vGPU.',
      nextStep: 'Remove the card from device_spec, or from the mdev types.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
