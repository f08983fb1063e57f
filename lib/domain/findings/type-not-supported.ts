import { type CardDetector, isMdevCard, NOTHING } from './detector'

/** nova.conf gives mdev parents a type that they do not offer: Nova reports no error and no inventory. */
export const typeNotSupported: CardDetector = (card, { nova }) => {
  if (nova === null || !isMdevCard(card) || card.pgpu.supportedTypes === null) return NOTHING
  const offered = new Set(card.pgpu.supportedTypes.map((type) => type.typeId))
  const assigned = [...(card.facts.assigned?.values() ?? [])].filter((type) => type !== null)
  const missing = assigned.filter((type) => !offered.has(type.typeId))
  const [first] = missing
  if (first === undefined) return NOTHING
  const others = missing.length < assigned.length ? ` on ${missing.length} of its VFs` : ''
  return [
    {
      code: 'type-not-supported',
      severity: 'error',
      sentence: `nova.conf names ${first.typeId}${others}, which this card does not offer`,
      detail: `${first.source} gives this pGPU ${first.typeId}. Nova logs no error and reports no vGPU for it. Name one of the types that it offers, and give each kind of card its own type by device_addresses.`,
      pgpuAddress: card.pgpu.address,
    },
  ]
}
