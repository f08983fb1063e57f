import type { OfferCard, Series } from './offer-card'

/** Purposes of a GPU, in display order. */
const PURPOSES = ['desktop', 'cad', 'rendering', 'training', 'inference'] as const
export type Purpose = (typeof PURPOSES)[number]

/**
 * What NVIDIA licenses a series for (Q RTX vWS, B vPC, A vApps, C AI Enterprise), and the least memory of one vGPU
 * with which the purpose makes sense. The memory is a rule of thumb of ours. Unit: MiB.
 */
const LEAST_MIB: Readonly<Record<Series | 'whole', Readonly<Partial<Record<Purpose, number>>>>> = {
  Q: { desktop: 0, cad: 1024, rendering: 8192, training: 16_384, inference: 8192 },
  B: { desktop: 0 },
  A: { desktop: 0 },
  C: { training: 8192, inference: 0 },
  whole: { rendering: 0, training: 8192, inference: 0 },
}

const isGoodFor = ({ series, typeName, memoryMib }: OfferCard, purpose: Purpose): boolean => {
  if (series === null && typeName !== null) return false
  const least = LEAST_MIB[series ?? 'whole'][purpose]
  return least !== undefined && (least === 0 || (memoryMib !== null && memoryMib >= least))
}

/** What every kind of card that a flavor may land on is good for; empty where one is of no known series. */
export const purposesOf = (cards: readonly OfferCard[]): Purpose[] =>
  cards.length === 0 ? [] : PURPOSES.filter((purpose) => cards.every((card) => isGoodFor(card, purpose)))
