import type { WordHit } from './find-words'
import { WORD_KINDS, type WordKind } from './patterns'

export type WordCounts = Record<WordKind, number>

export const countHits = (hits: readonly WordHit[]): WordCounts => {
  const counts: WordCounts = { texts: 0, names: 0, comments: 0, docs: 0 }
  for (const { kind } of hits) counts[kind] += 1
  return counts
}

/** One line per kind; `isHeld` is false when any count is above its limit. */
export const compareCounts = ({
  counts,
  limits,
}: {
  counts: WordCounts
  limits: WordCounts
}): { isHeld: boolean; lines: string[] } => {
  const lines = WORD_KINDS.map((kind) => {
    const extra = counts[kind] - limits[kind]
    if (extra === 0) return `${kind}: ${counts[kind]} hits`
    return extra > 0
      ? `${kind}: ${counts[kind]} hits, ${extra} above the limit of ${limits[kind]}. List them with: npm run lint:words -- --list ${kind} [PATH]`
      : `${kind}: ${counts[kind]} hits, ${-extra} below the limit. Lower the limit with: npm run lint:words -- --update`
  })
  return { isHeld: WORD_KINDS.every((kind) => counts[kind] <= limits[kind]), lines }
}
