import type { FindingList, TrackedFinding } from '@/lib/schemas/api/finding'
import type { Severity } from '@/lib/schemas/severity'
import { SOURCE_TO_CORRECT_LABELS, type Source, subjectHost, subjectText } from './finding-words'

type FindingState = TrackedFinding['state']

/** An empty list narrows nothing, but no state means open. */
export type FindingFilter = {
  q: string
  severity: readonly Severity[]
  state: readonly FindingState[]
  host: readonly string[]
  code: readonly string[]
  blame: readonly Source[]
}

type Facet = Exclude<keyof FindingFilter, 'q'>

const FACETS: { [Name in Facet]: (finding: TrackedFinding) => string | null } = {
  severity: ({ severity }) => severity,
  state: ({ state }) => state,
  host: ({ subject }) => subjectHost(subject),
  code: ({ code }) => code,
  blame: ({ blame }) => blame,
}
const FACET_NAMES = Object.keys(FACETS) as Facet[]

export const chosenStates = ({ state }: Pick<FindingFilter, 'state'>): readonly FindingState[] =>
  state.length === 0 ? ['open'] : state

const chosenOf = (filter: FindingFilter, facet: Facet): readonly string[] =>
  facet === 'state' ? chosenStates(filter) : filter[facet]

const isWithin = (finding: TrackedFinding, filter: FindingFilter, facet: Facet): boolean => {
  const chosen = chosenOf(filter, facet)
  if (chosen.length === 0) return true
  const value = FACETS[facet](finding)
  return value !== null && chosen.includes(value)
}

const searchedText = (finding: TrackedFinding): string =>
  [
    finding.sentence,
    finding.title,
    finding.code,
    subjectText(finding.subject),
    'resourceName' in finding.subject ? finding.subject.resourceName : '',
    finding.blame === null ? '' : SOURCE_TO_CORRECT_LABELS[finding.blame],
    finding.acknowledgement?.note ?? '',
  ]
    .join(' ')
    .toLowerCase()

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

const holdsWords = (finding: TrackedFinding, words: readonly string[]): boolean => {
  if (words.length === 0) return true
  const text = searchedText(finding)
  return words.every((word) => text.includes(word))
}

const narrow = (
  findings: FindingList['findings'],
  filter: FindingFilter,
  facets: readonly Facet[],
): TrackedFinding[] => {
  const words = wordsOf(filter.q)
  return findings.filter(
    (finding) => facets.every((facet) => isWithin(finding, filter, facet)) && holdsWords(finding, words),
  )
}

/** The findings that hold every word of `q` and one chosen value of each facet. */
export const filterFindings = (findings: FindingList['findings'], filter: FindingFilter): TrackedFinding[] =>
  narrow(findings, filter, FACET_NAMES)

/** How many findings each value of a facet would show, the other facets as they are chosen. */
export const countFacet = (
  findings: FindingList['findings'],
  filter: FindingFilter,
  facet: Facet,
): Map<string, number> => {
  const counts = new Map<string, number>()
  const others = FACET_NAMES.filter((name) => name !== facet)
  for (const finding of narrow(findings, filter, others)) {
    const value = FACETS[facet](finding)
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

/** Whether anything but the states shown is narrowed. */
export const isNarrowed = ({ q, severity, host, code, blame }: FindingFilter): boolean =>
  q.trim() !== '' || severity.length + host.length + code.length + blame.length > 0
