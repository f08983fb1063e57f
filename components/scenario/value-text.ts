import type { ScenarioValue } from '@/lib/schemas/api/scenario-result'
import { formatNoun } from '@/lib/util/format'
import { formatMoney } from '@/lib/util/format-money'

/** Whole currency units: cents of a monthly sum say nothing. */
const rounded = (amount: string): string => String(Math.round(Number(amount)))

const signed = (amount: string, currency: string): string =>
  `${amount.startsWith('-') ? '' : '+'}${formatMoney({ amount: rounded(amount), currency }).replace('.00', '')}`

/** `+EUR 1,022 per month`, `no difference`, `unknown`; with the number of cards without a price. */
export const valueText = ({ amounts, unpricedCards }: Omit<ScenarioValue, 'because'>): string => {
  const sums = amounts.map(({ amount, currency }) => signed(amount, currency)).join(', ')
  if (unpricedCards === 0) return sums === '' ? 'no difference' : `${sums} per month`
  const rest = `${formatNoun(unpricedCards, 'card')} without a price`
  return sums === '' ? rest : `${sums} per month, ${rest}`
}
