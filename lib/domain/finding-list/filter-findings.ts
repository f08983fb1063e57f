import type { FindingSource, TrackedFinding } from '@/lib/schemas/api/finding'
import type { Severity } from '@/lib/schemas/severity'
import { searchTerms } from '@/lib/util/search-terms'

type FindingState = TrackedFinding['state']

/** An empty list narrows nothing. */
export type FindingFilter = {
  q: string
  severity: readonly Severity[]
  state: readonly FindingState[]
  host: readonly string[]
  code: readonly string[]
  sourceToCorrect: readonly FindingSource[]
}

const FINDING_FACETS = ['state', 'severity', 'host', 'code', 'sourceToCorrect'] as const
export type FindingFacet = (typeof FINDING_FACETS)[number]

/** What the filter compares. `text` is what `q` is searched in. */
export type FilteredFinding = {
  severity: Severity
  state: FindingState
  host: string | null
  code: string
  sourceToCorrect: FindingSource | null
  text: string
}

/**
 * The findings that contain every word of `q` and one chosen value of each facet, and for each facet how many findings each
 * value would show with the other facets as they are chosen.
 */
export const filterFindings = <Row extends FilteredFinding>(
  findings: readonly Row[],
  filter: FindingFilter,
): { found: Row[]; counts: Record<FindingFacet, Map<string, number>> } => {
  const words = searchTerms(filter.q)
  const counts: Record<FindingFacet, Map<string, number>> = {
    state: new Map(),
    severity: new Map(),
    host: new Map(),
    code: new Map(),
    sourceToCorrect: new Map(),
  }
  const count = (facet: FindingFacet, value: string | null) => {
    if (value !== null) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1)
  }
  const chosen = FINDING_FACETS.filter((facet) => filter[facet].length > 0).map((facet) => ({
    facet,
    values: new Set<string>(filter[facet]),
  }))
  const found = findings.filter((finding) => {
    if (words.length > 0) {
      const text = finding.text.toLowerCase()
      if (!words.every((word) => text.includes(word))) return false
    }
    const failed = chosen.filter(({ facet, values }) => !values.has(finding[facet] ?? ''))
    const [first] = failed
    if (first === undefined) for (const facet of FINDING_FACETS) count(facet, finding[facet])
    else if (failed.length === 1) count(first.facet, finding[first.facet])
    return first === undefined
  })
  return { found, counts }
}

/** Whether anything but the state is narrowed. */
export const isNarrowed = ({ q, severity, host, code, sourceToCorrect }: FindingFilter): boolean =>
  q.trim() !== '' || severity.length + host.length + code.length + sourceToCorrect.length > 0
