import * as z from 'zod'
import type { Finding } from '@/lib/domain/findings/finding'
import { findingTitle } from '@/lib/domain/findings/finding-title'
import type { StoredFinding } from '@/lib/domain/findings/lifecycle'
import { findingWordsSchema, type TrackedFinding, trackedWordsSchema } from '@/lib/schemas/api/finding'
import { storedText } from '@/lib/util/encode/stored'
import type { FindingMutes } from './load-finding-mutes'

const STATE_COLUMNS = `
  f.id, f.opened_at AS "openedAt", f.changed_at AS "changedAt", f.closed_at AS "closedAt",
  f.reopened_count AS "reopenedCount", f.cannot_tell AS "unverifiedReason", f.cannot_tell_since AS "unverifiedSince",
  f.acknowledged_by AS "acknowledgedBy", f.acknowledged_at AS "acknowledgedAt",
  f.acknowledged_until AS "acknowledgedUntil", f.note`

/** Of `finding f`, with its whole content. */
export const FINDING_COLUMNS = `f.body, ${STATE_COLUMNS}`

// SQL: Prisma's client cannot leave out a part of a JSON column, nor order by rank.
/** Of `finding f` for lists: evidence is most of a finding, and no list shows it. */
export const LISTED_COLUMNS = `f.body - 'evidence' AS body, ${STATE_COLUMNS}`

/** The most urgent first. */
export const SEVERITY_RANK = `CASE f.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END`

const isUnacknowledgedAt = (now: string): string =>
  `(f.closed_at IS NULL AND (f.acknowledged_by IS NULL OR f.acknowledged_until <= ${now}))`

const isMutedAt = (now: string): string =>
  `EXISTS (SELECT FROM finding_mute m WHERE m.cloud_id = f.cloud_id AND m.code = f.code AND m.until > ${now})`

/** Not closed, not acknowledged and of no muted kind at a moment, given as a parameter (`$2`). */
export const isOpenAt = (now: string): string => `(${isUnacknowledgedAt(now)} AND NOT ${isMutedAt(now)})`

/** One of FINDING_STATES of `finding f` at a moment, given as a parameter. */
export const stateAt = (now: string): string =>
  `CASE WHEN f.closed_at IS NOT NULL THEN 'closed' WHEN NOT ${isUnacknowledgedAt(now)} THEN 'acknowledged'
    WHEN ${isMutedAt(now)} THEN 'muted' ELSE 'open' END`

/** A row of either columns. The body is parsed where it is used: lists lack the evidence. */
export const findingRow = z.object({
  id: z.int(),
  body: z.unknown(),
  openedAt: z.date(),
  changedAt: z.date(),
  closedAt: z.date().nullable(),
  reopenedCount: z.int(),
  unverifiedReason: z.string().nullable(),
  unverifiedSince: z.date().nullable(),
  acknowledgedBy: z.string().nullable(),
  acknowledgedAt: z.date().nullable(),
  acknowledgedUntil: z.date().nullable(),
  note: z.string().nullable(),
})
export type FindingRow = z.infer<typeof findingRow>

/** While consoles are updated one by one, one of the release before stores findings with these names. */
const earlierBody = z.looseObject({
  blame: z.string().nullable(),
  evidence: z.array(z.looseObject({ said: z.string() })).default([]),
})

const withCurrentNames = (stored: unknown): unknown => {
  const { success, data } = earlierBody.safeParse(stored)
  if (!success) return stored
  const { blame, evidence, ...rest } = data
  return {
    ...rest,
    sourceToCorrect: blame,
    evidence: evidence.map(({ said, ...each }) => ({ ...each, reported: said })),
  }
}

/** The content of a row with FINDING_COLUMNS. */
export const findingContent = ({ body }: Pick<FindingRow, 'body'>): z.infer<typeof findingWordsSchema> =>
  findingWordsSchema.parse(withCurrentNames(body))

type FindingState = Omit<StoredFinding, 'key' | 'code' | 'subject' | 'finding'>

const acknowledgementOf = (row: FindingRow): FindingState['acknowledgement'] =>
  row.acknowledgedBy === null || row.acknowledgedAt === null
    ? null
    : {
        by: row.acknowledgedBy,
        note: row.note ?? '',
        at: row.acknowledgedAt.toISOString(),
        until: row.acknowledgedUntil?.toISOString() ?? null,
      }

/** `acknowledged` until a round has taken notice of its end. */
const stateOf = (row: FindingRow): FindingState => {
  const acknowledgement = acknowledgementOf(row)
  return {
    status: row.closedAt !== null ? 'closed' : acknowledgement === null ? 'open' : 'acknowledged',
    openedAt: row.openedAt.toISOString(),
    seenAt: row.changedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    reopenedCount: row.reopenedCount,
    acknowledgement,
    unverified:
      row.unverifiedReason === null || row.unverifiedSince === null
        ? null
        : { because: row.unverifiedReason, since: row.unverifiedSince.toISOString() },
  }
}

/** A row of FINDING_COLUMNS in the form that the rounds use. */
export const storedFinding = (row: FindingRow): StoredFinding => {
  const { command, ...words } = findingContent(row)
  // A detector encoded it, and a round replaces what an earlier version stored.
  const finding: Finding = { ...words, command: command === null ? null : storedText(command) }
  return { key: finding.key, code: finding.code, subject: finding.subject, finding, ...stateOf(row) }
}

/** A row of either columns as it is shown: an acknowledgement ends with its date, and a mute applies to open findings. */
export const trackedFinding = (
  row: FindingRow,
  { now, mutes }: { now: Date; mutes: FindingMutes },
): TrackedFinding => {
  const { status, acknowledgement, unverified, seenAt: _, ...times } = stateOf(row)
  const hasEnded = (acknowledgement?.until ?? null) !== null && (row.acknowledgedUntil ?? now) <= now
  const words = trackedWordsSchema.parse(withCurrentNames(row.body))
  const mute = mutes.get(words.code) ?? null
  const ownState = status === 'acknowledged' && hasEnded ? 'open' : status
  const state = ownState === 'open' && mute !== null ? 'muted' : ownState
  return {
    ...words,
    ...times,
    id: row.id,
    title: findingTitle(words.code),
    state,
    unverifiedReason: unverified?.because ?? null,
    acknowledgement: state === 'acknowledged' ? acknowledgement : null,
    mute: state === 'muted' ? mute : null,
  }
}
