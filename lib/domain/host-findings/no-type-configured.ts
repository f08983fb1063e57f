import { type CardDetector, type HostDetector, isMdevCard, NOTHING, onEachCard } from './detector'

/** A card that could be sliced and for which nova.conf names no type, so that Nova offers no vGPU of it. */
const detect: CardDetector = (card, { nova }) => {
  if (nova === null || !isMdevCard(card)) return NOTHING
  const { configuredType, supportedTypes, address } = card.pgpu
  if (configuredType !== null || supportedTypes === null) return NOTHING
  return [
    {
      code: 'no-type-configured',
      severity: 'warning',
      sentence: 'nova.conf assigns no vGPU type to the card',
      detail:
        nova.mdev.types.length === 0
          ? 'The card offers vGPU types, but [devices] enabled_mdev_types is not set. Add a type there so that Nova can use the card.'
          : `Every enabled type lists device_addresses and none lists ${address}, so Nova offers no vGPU of the card. Add the address to a type, or leave one type without addresses as the default.`,
      pgpuAddress: address,
    },
  ]
}

export const noTypeConfigured: HostDetector = {
  findings: {
    'no-type-configured': {
      title: 'nova.conf assigns no vGPU type to a pGPU',
      severities: ['warning'],
      detection: 'nova.conf and sysfs: a pGPU offers mdev types, and nova.conf assigns none to it.',
      consequence: 'Nova offers no vGPU of this card.',
      nextStep: 'Add a type for the card to [devices] enabled_mdev_types.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
