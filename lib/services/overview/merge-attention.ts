import { SUPERSEDED_BY } from '@/lib/domain/findings/cloud/codes'
import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { Overview } from '@/lib/schemas/api/fleet'
import { compareTexts } from '@/lib/util/compare-texts'
import { type TrackedGroup, trackedAttention } from './finding-attention'
import type { OwnAttention } from './list-attention'
import type { Place, WeighedAttention } from './weigh-attention'

type Attention = Overview['attention'][number]

/**
 * Silence is derived from the hosts' last reports, which are newer than any round; a console without reports has a
 * separate entry.
 */
const SILENCE = { told: ['hosts-silent', 'console-blind'], tracked: 'host-silent' }

/** Without reports no other problem is detected either, so silence comes first. */
const isSilence = ({ code }: Attention): boolean => SILENCE.told.includes(code) || code === SILENCE.tracked

const byUrgency = (a: WeighedAttention, b: WeighedAttention): number =>
  Number(isSilence(b.attention)) - Number(isSilence(a.attention)) ||
  compareSeverity(a.attention.severity, b.attention.severity) ||
  b.weight - a.weight ||
  b.attention.count - a.attention.count ||
  compareTexts(a.attention.code, b.attention.code)

/**
 * Merges the hosts' own findings and those of the rounds into one list, each problem once. Rounds contain the hosts'
 * findings too, with acknowledgements, so an entry of a round replaces the host's entry of the same code. Silence comes
 * first, then the most urgent, then the most affected vGPUs.
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
