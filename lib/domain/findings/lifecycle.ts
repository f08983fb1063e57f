import { compareSeverity } from '@/lib/domain/host-findings/severity'
import { type Finding, isWithin, type Subject, type Unverified } from './finding'

/** An acknowledgement: silences a finding until `until`, or permanently when it is null. */
export type Acknowledgement = { by: string; note: string; at: string; until: string | null }

/** A finding with its history. Times are ISO 8601 UTC, of the console's clock. */
export type StoredFinding = {
  key: string
  code: string
  subject: Subject
  status: 'open' | 'acknowledged' | 'closed'
  /** In its last words. */
  finding: Finding
  openedAt: string
  /** When it was detected last. */
  seenAt: string
  closedAt: string | null
  reopenedCount: number
  acknowledgement: Acknowledgement | null
  /** Why it can neither be confirmed nor closed now, and since when; null when it can. */
  unverified: { because: string; since: string } | null
}

/** What one round changed; `all` is what to store, every finding exactly once. */
export type LifecycleStep = {
  opened: readonly StoredFinding[]
  unchanged: readonly StoredFinding[]
  closed: readonly StoredFinding[]
  reopened: readonly StoredFinding[]
  all: readonly StoredFinding[]
}

type Outcome = { kind: 'opened' | 'unchanged' | 'closed' | 'reopened'; stored: StoredFinding }

const open = (finding: Finding, now: string): StoredFinding => ({
  key: finding.key,
  code: finding.code,
  subject: finding.subject,
  status: 'open',
  finding,
  openedAt: now,
  seenAt: now,
  closedAt: null,
  reopenedCount: 0,
  acknowledgement: null,
  unverified: null,
})

const hasEnded = ({ until }: Acknowledgement, now: string): boolean =>
  until !== null && Date.parse(until) <= Date.parse(now)

const isWorse = (now: Finding, before: Finding): boolean => compareSeverity(now.severity, before.severity) < 0

/** It is there: an acknowledgement holds until its end, unless the finding got worse. */
const detected = (held: StoredFinding, finding: Finding, now: string): Outcome => {
  const seen = { ...held, finding, subject: finding.subject, seenAt: now, unverified: null }
  const reopen = (acknowledgement: Acknowledgement | null): Outcome => ({
    kind: 'reopened',
    stored: {
      ...seen,
      status: acknowledgement === null ? 'open' : 'acknowledged',
      closedAt: null,
      reopenedCount: held.reopenedCount + 1,
      acknowledgement,
    },
  })
  const { acknowledgement } = held
  const isOver = acknowledgement === null || hasEnded(acknowledgement, now) || isWorse(finding, held.finding)
  // A reopened finding keeps only an acknowledgement with an end date: a permanent one was for the problem that ended.
  if (held.status === 'closed')
    return reopen(isOver || acknowledgement?.until === null ? null : acknowledgement)
  if (held.status === 'acknowledged' && isOver) return reopen(null)
  return { kind: 'unchanged', stored: seen }
}

/** The finding was not detected. If its detector could not check, its status does not change. */
const absent = (held: StoredFinding, gap: Unverified | undefined, now: string): Outcome => {
  if (held.status === 'closed') return { kind: 'unchanged', stored: { ...held, unverified: null } }
  if (gap !== undefined)
    return {
      kind: 'unchanged',
      stored: { ...held, unverified: { because: gap.because, since: held.unverified?.since ?? now } },
    }
  return { kind: 'closed', stored: { ...held, status: 'closed', closedAt: now, unverified: null } }
}

const findGap = (
  gaps: ReadonlyMap<string, readonly Unverified[]>,
  held: StoredFinding,
): Unverified | undefined => gaps.get(held.code)?.find(({ scope }) => isWithin(held.subject, scope))

/**
 * The next state of all findings after one round of detection. A finding opens when it is first detected, closes when a
 * detector that could check no longer finds it, and reopens when it comes back or its acknowledgement ends. If a detector
 * could not check, nothing changes but `unverified`. Pure; time grows with stored, detected and gaps.
 */
export const advanceFindings = ({
  stored,
  findings,
  unverified,
  now,
}: {
  stored: readonly StoredFinding[]
  findings: readonly Finding[]
  unverified: readonly Unverified[]
  now: string
}): LifecycleStep => {
  const byKey = new Map(findings.map((finding) => [finding.key, finding]))
  const known = new Set(stored.map(({ key }) => key))
  const gaps = new Map<string, Unverified[]>()
  for (const gap of unverified) {
    const held = gaps.get(gap.code)
    if (held === undefined) gaps.set(gap.code, [gap])
    else held.push(gap)
  }
  const outcomes: Outcome[] = stored.map((held) => {
    const finding = byKey.get(held.key)
    return finding === undefined ? absent(held, findGap(gaps, held), now) : detected(held, finding, now)
  })
  for (const [key, finding] of byKey)
    if (!known.has(key)) outcomes.push({ kind: 'opened', stored: open(finding, now) })
  const of = (kind: Outcome['kind']): StoredFinding[] =>
    outcomes.filter((outcome) => outcome.kind === kind).map((outcome) => outcome.stored)
  return {
    opened: of('opened'),
    unchanged: of('unchanged'),
    closed: of('closed'),
    reopened: of('reopened'),
    all: outcomes.map((outcome) => outcome.stored),
  }
}

/** An acknowledged finding. A closed one cannot be acknowledged and is returned unchanged. */
export const acknowledge = (held: StoredFinding, acknowledgement: Acknowledgement): StoredFinding =>
  held.status === 'closed' ? held : { ...held, status: 'acknowledged', acknowledgement }
