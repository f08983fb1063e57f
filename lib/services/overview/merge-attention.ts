import { SUPERSEDED_BY } from '@/lib/domain/findings/cloud/codes'
import { compareSeverity } from '@/lib/domain/findings/severity'
import type { Overview } from '@/lib/schemas/api/fleet'
import { compareTexts } from '@/lib/services/fleet/card-table'
import { type TrackedGroup, trackedAttention } from './finding-attention'

type Attention = Overview['attention'][number]

const betterCodes: Readonly<Record<string, string>> = SUPERSEDED_BY

/** Silence is told by the hosts' last word, which is newer than any round; a blind console tells it as its own. */
const SILENCE = { told: ['hosts-silent', 'console-blind'], tracked: 'host-silent' }

const byUrgency = (a: Attention, b: Attention): number =>
  compareSeverity(a.severity, b.severity) || b.count - a.count || compareTexts(a.code, b.code)

/**
 * The hosts' own findings and those of the rounds as one list, each trouble once: rounds keep the hosts' findings too, with
 * what somebody acknowledged, so where a round knows a code its word stands. The most urgent first.
 */
export const mergeAttention = (own: readonly Attention[], tracked: readonly TrackedGroup[]): Attention[] => {
  const codes = new Set(tracked.map(({ code }) => code))
  const tellsSilence = own.some(({ code }) => SILENCE.told.includes(code))
  const left = own.filter(({ code }) => !codes.has(code) && !codes.has(betterCodes[code] ?? ''))
  const shown = tracked.filter(({ code, open }) => open > 0 && !(tellsSilence && code === SILENCE.tracked))
  return [...left, ...shown.map(trackedAttention)].sort(byUrgency)
}
