import { formatNoun } from '@/lib/util/format'

/** `612 vGPUs, 6 whole cards`: of a sum of both, each in its own unit. */
export const unitsNote = (sum: number | null, cards: number): string => {
  if (cards === 0 || sum === null) return 'vGPUs'
  const whole = formatNoun(cards, 'whole card')
  return sum === cards ? whole : `${formatNoun(sum - cards, 'vGPU')}, ${whole}`
}
