import { SUPERSEDED_BY } from '@/lib/domain/findings/cloud/codes'
import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { Overview } from '@/lib/schemas/api/fleet'
import { compareTexts } from '@/lib/util/compare-texts'
import { type TrackedGroup, trackedAttention } from './finding-attention'
import type { OwnAttention } from './list-attention'
import type { Place, WeighedAttention } from './weigh-attention'

type Attention = Overview['attention'][number]

/** Silence is told by the hosts' last word, which is newer than any round; a blind console tells it as its own. */
const SILENCE = { told: ['hosts-silent', 'console-blind'], tracked: 'host-silent' }

/** Who does not hear hears of no other trouble either, so silence stands above all. */
const isSilence = ({ code }: Attention): boolean => SILENCE.told.includes(code) || code === SILENCE.tracked

const byUrgency = (a: WeighedAttention, b: WeighedAttention): number =>
  Number(isSilence(b.attention)) - Number(isSilence(a.attention)) ||
  compareSeverity(a.attention.severity, b.attention.severity) ||
  b.weight - a.weight ||
  b.attention.count - a.attention.count ||
  compareTexts(a.attention.code, b.attention.code)

/**
 * The hosts' own findings and those of the rounds as one list, each trouble once: rounds keep the hosts' findings too, with
 * what somebody acknowledged, so where a round knows a code its word stands. Silence first, then the most urgent, then what
 * concerns the most vGPUs.
 */
export const mergeAttention = (
  own: readonly OwnAttention[],
  tracked: readonly TrackedGroup[],
  weigh: (places: readonly Place[]) => number,
): Attention[] => {
  const codes = new Set(tracked.map(({ code }) => code))
  const tellsSilence = own.some(({ code }) => SILENCE.told.includes(code))
  const left = own.filter(({ code }) => !codes.has(code) && !codes.has(SUPERSEDED_BY.get(code) ?? ''))
  const shown = tracked.filter(({ code, open }) => open > 0 && !(tellsSilence && code === SILENCE.tracked))
  return [
    ...left.map(({ places, ...attention }) => ({ attention, weight: weigh(places) })),
    ...shown.map((group) => ({ attention: trackedAttention(group), weight: weigh(group.places) })),
  ]
    .sort(byUrgency)
    .map(({ attention }) => attention)
}
