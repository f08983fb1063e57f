import type { PgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { type CardDetector, type HostDetector, isMdevCard, NOTHING, onEachCard } from './detector'

/** Whether all parents have one type, as on most cards, and the card offers it. */
const areOneOffered = (assigned: PgpuFacts['assigned'], offered: readonly SupportedType[]): boolean => {
  let typeId: string | null = null
  for (const type of assigned?.values() ?? []) {
    if (type === null || type.typeId === typeId) continue
    if (typeId !== null) return false
    typeId = type.typeId
  }
  return typeId === null || offered.some((type) => type.typeId === typeId)
}

/** nova.conf gives mdev parents a type that they do not offer: Nova reports no error and no inventory. */
const detect: CardDetector = (card, { nova }) => {
  const { facts, pgpu } = card
  if (nova === null || !isMdevCard(card) || pgpu.supportedTypes === null) return NOTHING
  if (areOneOffered(facts.assigned, pgpu.supportedTypes)) return NOTHING
  const offered = new Set(pgpu.supportedTypes.map((type) => type.typeId))
  const assigned = [...(facts.assigned?.values() ?? [])].filter((type) => type !== null)
  const missing = assigned.filter((type) => !offered.has(type.typeId))
  const [first] = missing
  if (first === undefined) return NOTHING
  const others = missing.length < assigned.length ? ` on ${missing.length} of its VFs` : ''
  return [
    {
      code: 'type-not-supported',
      severity: 'error',
      sentence: `nova.conf names ${first.typeId}${others}, which this card does not offer`,
      detail: `${first.source} assigns ${first.typeId} to this pGPU. Nova logs no error and reports no vGPU for it. Use one of the types that the card offers, and assign a type to each card model with device_addresses.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const typeNotSupported: HostDetector = {
  findings: {
    'type-not-supported': {
      title: 'nova.conf names a type that the pGPU does not offer',
      severities: ['error'],
      detection: 'nova.conf and sysfs: the configured type is not among the types that the parent offers.',
      consequence: 'Nova logs no error and offers no vGPU of this card.',
      nextStep: 'Use one of the types that the card offers.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
