import { createFleetGroups } from '@/lib/domain/history/groups'
import { type ReviewCard, tallyReviewCards } from '@/lib/domain/review/review-cards'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import type { ReviewContentV2 } from '@/lib/schemas/api/review-content'

type TypeRow = ReviewContentV2['types']['rows'][number]

const whyNone = ({ none }: ForecastGroup): string => {
  switch (none?.reason) {
    case 'no-better':
      return 'no trend to go by'
    case 'stale':
      return 'not watched lately'
    default:
      return 'not enough data'
  }
}

const fullOf = (forecast: ForecastGroup | undefined): TypeRow['full'] => {
  if (forecast === undefined) return { kind: 'unknown', because: 'not enough data' }
  return forecast.exhaustion ?? { kind: 'unknown', because: whyNone(forecast) }
}

const NEVER = '9999-12-31'

/** A type that is full again and again counts before one that happens to have little left as the period ends. */
const urgencyOf = ({ kind }: TypeRow['full']): number => (kind === 'full' ? 0 : kind === 'dated' ? 1 : 2)

/** The days that order what is equally urgent: since when it is full, or when it is going to be. */
const daysOf = (full: TypeRow['full']): string => {
  if (full.kind === 'full') return full.since
  return full.kind === 'dated' ? `${full.likely ?? NEVER} ${full.earliest}` : ''
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The use at the end is part of the week, too. */
const peakOf = ({ used }: Pick<TypeRow, 'used'>, forecast: ForecastGroup | undefined): number | null =>
  forecast === undefined || forecast.used === null ? null : Math.max(used, Math.round(forecast.used))

/**
 * The vGPU types: the full ones, the longest so first; those with a date, the soonest first; and the others, the
 * least room at the peak of the last week first. What finds no place is counted. `isPart`: of an aggregate, of whose types no
 * peak is known.
 */
export const typeRows = (
  cards: readonly ReviewCard[],
  { forecasts, max, isPart }: { forecasts: readonly ForecastGroup[]; max: number; isPart: boolean },
): ReviewContentV2['types'] => {
  const groupsOf = createFleetGroups()
  const byKey = new Map(forecasts.map((forecast) => [forecast.key, forecast]))
  const grouped = new Map<string, { label: string; cards: ReviewCard[] }>()
  for (const card of cards) {
    const { point, word } = card
    const group = groupsOf(point, word).find(({ dimension }) => dimension === 'type')
    if (group === undefined || (point.capacity ?? 0) === 0) continue
    const { key, label } = group
    const type = grouped.get(key) ?? { label, cards: [] }
    type.cards.push(card)
    grouped.set(key, type)
  }
  const types = [...grouped].map(([key, { label, cards: ofType }]) => {
    const { vgpus, passthrough } = tallyReviewCards(ofType)
    const { used, capacity } = vgpus.pgpus === 0 ? passthrough : vgpus
    return { key, label, used, capacity }
  })
  const freeOf = ({ key, used, capacity }: TypeRow): number => {
    const peak = byKey.get(key)
    return peak?.used && peak.capacity ? 1 - peak.used / peak.capacity : 1 - used / capacity
  }
  const sorted = types
    .map((row) => {
      const forecast = byKey.get(row.key)
      return { ...row, ...(isPart ? {} : { peak: peakOf(row, forecast) }), full: fullOf(forecast) }
    })
    .toSorted(
      (a, b) =>
        urgencyOf(a.full) - urgencyOf(b.full) ||
        byText(daysOf(a.full), daysOf(b.full)) ||
        freeOf(a) - freeOf(b) ||
        b.capacity - a.capacity ||
        byText(a.key, b.key),
    )
  const rest = sorted.slice(max)
  const countOf = (kind: TypeRow['full']['kind']): number =>
    rest.filter(({ full }) => full.kind === kind).length
  return {
    rows: sorted.slice(0, max),
    others: rest.length,
    othersFull: countOf('full'),
    othersDated: countOf('dated'),
  }
}
