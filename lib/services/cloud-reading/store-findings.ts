import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { enrollmentWaiting } from '@/lib/domain/findings/cloud/enrollment-waiting'
import type { DetectedFindings } from '@/lib/domain/findings/cloud/registry'
import { confirmFindings, type Unconfirmed } from '@/lib/domain/findings/confirm'
import type { Finding, Subject, Unverified } from '@/lib/domain/findings/finding'
import { advanceFindings, type LifecycleStep, type StoredFinding } from '@/lib/domain/findings/lifecycle'
import { type ChangeHold, waitForChanges } from '@/lib/domain/findings/wait-for-changes'
import { targetsOf } from '@/lib/domain/plans/change-targets'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { parseStoredPreview } from '@/lib/domain/plans/stored-plan'
import type { Database, PrismaConnection, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { FINDING_COLUMNS, findingRow, storedFinding } from '@/lib/services/finding/finding-row'
import { loadRemovedNames } from '@/lib/services/stored-host/removed-host-rows'
import { queueFindings } from '@/lib/services/webhook-outbox/queue-findings'
import { inSlices } from '@/lib/util/in-slices'

// SQL: reads in the transaction of a round, by an interval before the round.
/** Reports and reading rounds show the effect of a change some minutes after its last step. */
const FIND = `
SELECT id, kind, preview FROM change
WHERE cloud_id = $1 AND started_at <= $2::timestamptz
  AND (ended_at IS NULL OR ended_at >= $2::timestamptz - interval '15 minutes')
ORDER BY started_at DESC, id DESC`

const changeRow = z.object({ id: z.int(), kind: z.string(), preview: z.unknown() })

const isAbout = (subject: Subject, { host, address }: ChangeTarget): boolean => {
  switch (subject.kind) {
    case 'pgpu':
      return host === subject.host && address === subject.address
    case 'host':
    case 'provider':
    case 'server':
      return host === subject.host
    case 'flavor':
    case 'aggregate':
      return host === subject.kind && address === subject.name
    case 'limit':
      return host === 'limit' && address === subject.resourceName
    case 'cloud':
    case 'trait':
      return false
  }
}

/** For each finding that a round resolves, the newest change that acted on its subject shortly before. */
const findResolvingChanges = async (
  query: Query,
  {
    cloudId,
    at,
    findings,
  }: { cloudId: number; at: Date; findings: readonly Pick<Finding, 'key' | 'subject'>[] },
): Promise<ReadonlyMap<string, number>> => {
  if (findings.length === 0) return new Map()
  const rows = await query(FIND, [cloudId, at], changeRow)
  const changes = rows.map(({ id, kind, preview }) => ({
    id,
    targets: targetsOf(parseStoredPreview(kind, preview)),
  }))
  return new Map(
    findings.flatMap(({ key, subject }) => {
      const change = changes.find(({ targets }) => targets.some((target) => isAbout(subject, target)))
      return change === undefined ? [] : [[key, change.id] as const]
    }),
  )
}

/** A host that sends no report after a change does not hold its findings back for longer. */
const MAX_WAIT_MS = 15 * 60_000

/**
 * What the console's changes hold: subjects of active changes, and of those that ended after the facts of this round were
 * read. Such facts are from the middle of a change, so a difference in them may be the console's own write.
 */
export const loadChangeHolds = async (
  { prisma }: PrismaConnection,
  { cloudId, at, readAt }: { cloudId: number; at: Date; readAt: Date },
): Promise<ChangeHold[]> => {
  const active = await prisma.changeClaim.findMany({
    where: { cloudId },
    select: { host: true, address: true },
  })
  const ended = await prisma.change.findMany({
    where: { cloudId, endedAt: { gt: new Date(at.getTime() - MAX_WAIT_MS), lte: at } },
    select: { kind: true, preview: true, endedAt: true },
  })
  if (ended.length === 0) return active
  const held = ended.flatMap(({ kind, preview, endedAt }) =>
    targetsOf(parseStoredPreview(kind, preview)).map((target) => ({ ...target, endedAt: endedAt ?? at })),
  )
  const hosts = await prisma.host.findMany({
    where: { cloudId, name: { in: [...new Set(held.map(({ host }) => host))] } },
    select: { name: true, seenAt: true },
  })
  const seenAt = new Map(hosts.map((host) => [host.name, host.seenAt]))
  return [
    ...active,
    ...held.filter(({ host, endedAt }) => endedAt > readAt || endedAt > (seenAt.get(host) ?? endedAt)),
  ]
}

/** What jsonb_to_recordset turns into a row of the table. */
const findingRecord = (stored: StoredFinding) => {
  const { finding, subject, acknowledgement, unverified } = stored
  return {
    key: stored.key,
    code: stored.code,
    severity: finding.severity,
    subject_kind: subject.kind,
    host: 'host' in subject ? subject.host : null,
    address: subject.kind === 'pgpu' ? subject.address : null,
    body: finding,
    opened_at: stored.openedAt,
    changed_at: stored.seenAt,
    closed_at: stored.closedAt,
    reopened_count: stored.reopenedCount,
    cannot_tell: unverified?.because ?? null,
    cannot_tell_since: unverified?.since ?? null,
    acknowledged_by: acknowledgement?.by ?? null,
    acknowledged_at: acknowledgement?.at ?? null,
    acknowledged_until: acknowledgement?.until ?? null,
    note: acknowledgement?.note ?? null,
  }
}

// SQL: row locks, and all findings of a round in one upsert.
/** Locked, so that a concurrent acknowledgement is neither lost nor overlooked. */
const LOAD = `
SELECT ${FINDING_COLUMNS} FROM finding f
WHERE f.cloud_id = $1 AND (f.closed_at IS NULL OR f.key = ANY($2::text[])) ORDER BY f.id FOR NO KEY UPDATE`

const STORE = `
INSERT INTO finding (cloud_id, key, code, severity, subject_kind, host, address, body, opened_at, changed_at, closed_at,
  reopened_count, cannot_tell, cannot_tell_since, acknowledged_by, acknowledged_at, acknowledged_until, note)
SELECT $1, n.* FROM jsonb_to_recordset($2::jsonb) AS n (
  key text, code text, severity text, subject_kind text, host text, address text, body jsonb, opened_at timestamptz,
  changed_at timestamptz, closed_at timestamptz, reopened_count int, cannot_tell text, cannot_tell_since timestamptz,
  acknowledged_by text, acknowledged_at timestamptz, acknowledged_until timestamptz, note text)
ON CONFLICT (cloud_id, key) DO UPDATE SET severity = excluded.severity, body = excluded.body,
  opened_at = excluded.opened_at, changed_at = excluded.changed_at, closed_at = excluded.closed_at,
  reopened_count = excluded.reopened_count, cannot_tell = excluded.cannot_tell,
  cannot_tell_since = excluded.cannot_tell_since, acknowledged_by = excluded.acknowledged_by,
  acknowledged_at = excluded.acknowledged_at, acknowledged_until = excluded.acknowledged_until, note = excluded.note`

const INSERT_EVENTS = `
INSERT INTO finding_event (finding_id, at, kind, actor, severity, sentence, change_id)
SELECT f.id, $2, n.kind, 'system', f.severity, f.body->>'sentence', n.change_id
FROM jsonb_to_recordset($3::jsonb) AS n (key text, kind text, change_id int)
JOIN finding f ON f.cloud_id = $1 AND f.key = n.key`

/** The finding apart from the times of its evidence, which move with every round. */
const wordsOf = ({ finding: { evidence, ...words } }: StoredFinding) => ({
  ...words,
  evidence: evidence.map(({ source, reported }) => ({ source, reported })),
})

const isUnchanged = (before: StoredFinding, now: StoredFinding): boolean =>
  before.status === now.status &&
  before.reopenedCount === now.reopenedCount &&
  before.unverified?.because === now.unverified?.because &&
  isDeepStrictEqual(wordsOf(before), wordsOf(now))

function* changesInSteps(
  stored: readonly StoredFinding[],
  step: LifecycleStep,
): Generator<void, StoredFinding[]> {
  const before = new Map(stored.map((finding) => [finding.key, finding]))
  const changes: StoredFinding[] = []
  for (const now of step.all) {
    const held = before.get(now.key)
    if (held === undefined || !isUnchanged(held, now)) changes.push(now)
    yield
  }
  return changes
}

const recordEvents = async (
  query: Query,
  cloudId: number,
  { step, at }: { step: LifecycleStep; at: Date },
) => {
  const events = (['opened', 'closed', 'reopened'] as const).flatMap((kind) =>
    step[kind].map(({ key }) => ({ key, kind })),
  )
  if (events.length === 0) return
  const findings = step.closed.map(({ finding }) => finding)
  const resolving = await findResolvingChanges(query, { cloudId, at, findings })
  const rows = events.map(({ key, kind }) => ({
    key,
    kind,
    change_id: kind === 'closed' ? (resolving.get(key) ?? null) : null,
  }))
  await query(INSERT_EVENTS, [cloudId, at, JSON.stringify(rows)])
}

const UNJUDGED = `
SELECT name AS host, taken_at IS NULL AS "isNew" FROM current_host WHERE cloud_id = $1 AND name <> ALL($2::text[])`
const unjudgedRow = z.object({ host: z.string(), isNew: z.boolean() })

type UnjudgedHost = z.infer<typeof unjudgedRow>

/** The other hosts of a cloud. */
export const loadUnjudged = (
  query: Query,
  { cloudId, judged }: { cloudId: number; judged: readonly string[] },
): Promise<UnjudgedHost[]> => query(UNJUDGED, [cloudId, pgArray(judged)], unjudgedRow)

/** Findings on hosts that were not judged stay as they are. */
const gapsOf = (stored: readonly StoredFinding[], unjudged: readonly UnjudgedHost[]): Unverified[] => {
  const codes = [...new Set(stored.map(({ code }) => code))]
  return unjudged.flatMap(({ host, isNew }) => {
    const because = isNew
      ? `the agent of ${host} has not reported yet`
      : `the last report of ${host} came during the round, or has a form that this console does not know`
    return codes.map((code) => ({ code, scope: { kind: 'host' as const, host }, because }))
  })
}

/** That it asks to come back is the one thing to say of a removed host. */
const ABOUT_REMOVED = enrollmentWaiting.code

/** A round that began before a host was removed still has findings on it. */
const withoutRemoved = async (
  connection: PrismaConnection,
  { cloudId, findings }: { cloudId: number; findings: DetectedFindings['findings'] },
): Promise<DetectedFindings['findings']> => {
  const removed = new Set(await loadRemovedNames(connection, cloudId))
  return removed.size === 0
    ? findings
    : findings.filter(
        ({ code, subject }) =>
          code === ABOUT_REMOVED || !('host' in subject && removed.has(subject.host ?? '')),
      )
}

/** What is open, and what waits until every source has reported it again. */
export type StoredRound = { openFindings: number; unconfirmed: Unconfirmed }

type StoredFindings = StoredRound & {
  /** Every finding is open: none waits for a confirmation, a change or the removal of its host. */
  areAllOpen: boolean
  unjudged: readonly UnjudgedHost[]
}

const NONE: Unconfirmed = new Map()

/** Opens, keeps, closes and reopens findings after a round, all or nothing. */
export const storeFindings = (
  database: Database,
  {
    cloudId,
    detected,
    at,
    readAt = at,
    unconfirmed = NONE,
    judged = null,
  }: {
    cloudId: number
    detected: DetectedFindings
    at: Date
    /** When OpenStack was read. */
    readAt?: Date
    unconfirmed?: Unconfirmed
    /** The hosts that were checked; null: all of them, as in a history that is written afterwards. */
    judged?: readonly string[] | null
  },
): Promise<StoredFindings> =>
  database.transaction(async ({ query, prisma }) => {
    const keys = detected.findings.map(({ key }) => key)
    const rows = await query(LOAD, [cloudId, pgArray(keys)], findingRow)
    // After the lock: a removal that resolved some of them has committed by now.
    const found = await withoutRemoved({ prisma }, { cloudId, findings: detected.findings })
    const stored = rows.map(storedFinding)
    const now = at.toISOString()
    const open = new Set(stored.filter(({ status }) => status !== 'closed').map(({ key }) => key))
    const isOpen = (key: string): boolean => open.has(key)
    const holds = await loadChangeHolds({ prisma }, { cloudId, at, readAt })
    const confirmed = confirmFindings({
      findings: waitForChanges({ findings: found, holds, isOpen }),
      unconfirmed,
      isOpen,
      now,
    })
    const unjudged = judged === null ? [] : await loadUnjudged(query, { cloudId, judged })
    const unverified = [...detected.unverified, ...gapsOf(stored, unjudged)]
    const step = advanceFindings({ stored, findings: confirmed.findings, unverified, now })
    const changes = await inSlices(changesInSteps(stored, step))
    if (changes.length > 0) await query(STORE, [cloudId, JSON.stringify(changes.map(findingRecord))])
    await recordEvents(query, cloudId, { step, at })
    await queueFindings(query, { cloudId, step, at })
    const openFindings = step.all.filter(({ status }) => status !== 'closed').length
    return {
      openFindings,
      unconfirmed: confirmed.unconfirmed,
      areAllOpen: confirmed.findings.length === detected.findings.length,
      unjudged,
    }
  })
