import { blockerText } from '@/lib/domain/cloud/blocker-text'
import type { MigrationPairDto } from '@/lib/schemas/api/migration'
import { formatNoun } from '@/lib/util/format'
import type { MatrixLine, Ways } from './matrix-lines'

export type Verdict = MigrationPairDto['verdict']

export const VERDICTS = ['possible', 'later', 'blocked', 'unknown'] as const

export const VERDICT_LABELS: Record<Verdict, string> = {
  possible: 'Possible',
  later: 'Not now',
  blocked: 'Blocked',
  unknown: 'Unknown',
}

export const VERDICT_MEANINGS: Record<Verdict, string> = {
  possible: 'possible',
  later: 'not now: full or disabled',
  blocked: 'blocked until a host is changed',
  unknown: 'unknown',
}

/** "cmp-1", or "cmp-1 and 13 like it". */
export const lineName = ({ first, hosts }: MatrixLine): string =>
  hosts.length === 1 ? first.name : `${first.name} and ${hosts.length - 1} like it`

/** As the subject of a sentence about each of its hosts. */
const subjectOf = ({ first, hosts }: MatrixLine): string =>
  hosts.length === 1 ? first.name : `each of the ${hosts.length} hosts like ${first.name}`

const begin = (text: string): string => text.replace(/^each /, 'Each ').replace(/^the /, 'The ')

export type WaySentences = { blockers: string[]; cautions: string[] }

/** Blockers and warnings, as sentences. */
export const waySentences = (
  { blockers, cautions }: MigrationPairDto,
  { from, to }: { from: MatrixLine; to: MatrixLine },
): WaySentences => {
  const names = { source: subjectOf(from), destination: subjectOf(to) }
  const sentencesOf = (entries: MigrationPairDto['cautions']) => [
    ...new Set(entries.map((entry) => begin(blockerText(entry, names)))),
  ]
  return { blockers: sentencesOf(blockers), cautions: sentencesOf(cautions) }
}

/** "cmp-1 to cmp-2: Cannot, 2 reasons". */
export const wayLabel = (
  way: MigrationPairDto,
  { from, to }: { from: MatrixLine; to: MatrixLine },
): string => {
  const parts = [
    VERDICT_LABELS[way.verdict],
    way.blockers.length === 0 ? null : formatNoun(way.blockers.length, 'reason'),
    way.cautions.length === 0 ? null : formatNoun(way.cautions.length, 'caution'),
  ].filter((part) => part !== null)
  return `${lineName(from)} to ${lineName(to)}: ${parts.join(', ')}`
}

export type CommonReason = { text: string; hosts: readonly string[] }

const noted = (reasons: Map<string, Set<string>>, text: string, hosts: readonly string[]): void => {
  const held = reasons.get(text) ?? new Set<string>()
  for (const host of hosts) held.add(host)
  reasons.set(text, held)
}

/** The blockers with their number of hosts, the most frequent first: what to change to allow the most migrations. */
export const commonReasons = (ways: Ways, lines: readonly MatrixLine[]): CommonReason[] => {
  const reasons = new Map<string, Set<string>>()
  const namesOf = (group: number) =>
    lines.filter((line) => line.group === group).flatMap(({ hosts }) => hosts.map(({ name }) => name))
  for (const [source, to] of ways) {
    const from = namesOf(source)
    if (from.length === 0) continue
    for (const [destination, { blockers }] of to) {
      const ends = namesOf(destination)
      if (ends.length === 0) continue
      for (const { at, because } of blockers)
        noted(reasons, because, at === 'source' ? from : at === 'destination' ? ends : [...from, ...ends])
    }
  }
  return [...reasons]
    .map(([text, hosts]) => ({ text, hosts: [...hosts] }))
    .toSorted((a, b) => b.hosts.length - a.hosts.length || a.text.localeCompare(b.text, 'en'))
}
