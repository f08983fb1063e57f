import type { Evidence, Finding } from './finding'

/**
 * Findings about objects that change all day: a starting server is in Nova before its guest is in the agent's report, and
 * a deleted one disappears from Placement first. A single comparison of sources read at different times would open them
 * without reason.
 */
export const MOVING: ReadonlySet<string> = new Set([
  'allocation-differs',
  'allocation-without-guest',
  'allocation-without-server',
  'server-without-allocation',
  'placement-total-old',
  'pgpu-without-provider',
])

/**
 * A finding that waits for its confirmation: when it was first detected, ISO 8601 UTC, and the last reports of its
 * sources.
 */
export type Waiting = { since: string; evidence: readonly Evidence[] }

/** The waiting findings, by key. */
export type Unconfirmed = ReadonlyMap<string, Waiting>

const isReportedAgain = ({ evidence }: Finding, since: string): boolean =>
  evidence.every(({ at }) => at === null || Date.parse(at) > Date.parse(since))

/**
 * Passes on a finding about moving objects when every source has confirmed it since it was first detected, or when it is
 * already open (`isOpen`). `unconfirmed` is what waits after this round.
 */
export const confirmFindings = ({
  findings,
  unconfirmed,
  isOpen,
  now,
}: {
  findings: readonly Finding[]
  unconfirmed: Unconfirmed
  isOpen: (key: string) => boolean
  now: string
}): { findings: Finding[]; unconfirmed: Unconfirmed } => {
  const waiting = new Map<string, Waiting>()
  const confirmed = findings.filter((finding) => {
    if (!MOVING.has(finding.code) || isOpen(finding.key)) return true
    const since = unconfirmed.get(finding.key)?.since
    if (since !== undefined && isReportedAgain(finding, since)) return true
    waiting.set(finding.key, { since: since ?? now, evidence: finding.evidence })
    return false
  })
  return { findings: confirmed, unconfirmed: waiting }
}
