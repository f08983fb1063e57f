import 'server-only'
import * as z from 'zod'
import type { RefusedGroup } from '@/lib/domain/review/what-helps'
import type { ReviewContent } from '@/lib/schemas/api/review-content'
import { SEVERITIES } from '@/lib/schemas/severity'
import { REFUSAL_REASONS } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { SEVERITY_RANK } from '@/lib/services/finding/finding-row'

/** Of a cloud, ms; what is at `until` is not in it any more. */
export type Span = { cloudId: number; cloud: string; from: number; until: number }

const times = ({ from, until }: Span): Date[] => [new Date(from), new Date(until)]

// SQL: grouped counts and window functions, over the audit and the events of findings.
const REFUSED = `
SELECT flavor_name AS flavor, reason, count(*)::int AS servers FROM refused_server
WHERE cloud_id = $1 AND at >= $2::timestamptz AND at < $3::timestamptz
GROUP BY flavor_name, reason ORDER BY servers DESC, flavor_name COLLATE "C", reason COLLATE "C"`
const refusedRow = z.object({
  flavor: z.string().nullable(),
  reason: z.enum(REFUSAL_REASONS),
  servers: z.int(),
}) satisfies z.ZodType<RefusedGroup>

/** Servers with a GPU that were requested in a period and reached no host, the most refused first. */
export const loadRefused = (query: Query, span: Span): Promise<RefusedGroup[]> =>
  query(REFUSED, [span.cloudId, ...times(span)], refusedRow)

/* The outcome of a change comes from the audit, which is immutable: the row of a change that is rolled back later shows
    only the last state. Rows without an audit entry were imported, and their own state counts. */
const CHANGES = `
WITH entry AS (
  SELECT DISTINCT ON (a.subject) a.subject, a.action, a.after->>'state' AS state, a.at FROM audit_entry a
  WHERE a.cloud = $1 AND a.at < $4::timestamptz AND a.subject LIKE 'change:%' AND a.after->>'state' IS NOT NULL
    AND a.subject NOT LIKE '%/%' ORDER BY a.subject, a.at DESC, a.id DESC
)
SELECT ch.id, ch.title, ch.preview, coalesce(t.state, ch.state) AS state, coalesce(t.at, ch.ended_at) AS at
FROM change ch LEFT JOIN entry t ON t.subject = 'change:' || ch.id
WHERE ch.cloud_id = $2 AND coalesce(t.state, ch.state) IN ('done', 'undone')
  AND coalesce(t.at, ch.ended_at) >= $3::timestamptz AND coalesce(t.at, ch.ended_at) < $4::timestamptz
ORDER BY at, ch.id`

const changeRow = z.object({
  id: z.int(),
  title: z.string(),
  preview: z.unknown(),
  state: z.enum(['done', 'undone']),
  at: z.date(),
})
type ChangeRow = z.infer<typeof changeRow>

/** What a review needs of a stored preview; those of other kinds of change have none of it. */
const typeChangePreview = z.object({
  typeChange: z.object({ capacities: z.array(z.object({ before: z.number(), after: z.number() })) }),
})

/** vGPUs of capacity that a change made more; null: it changes no type. */
const effectOf = ({ preview, state }: ChangeRow): number | null => {
  const { data } = typeChangePreview.safeParse(preview)
  if (data === undefined) return null
  return state === 'undone'
    ? 0
    : data.typeChange.capacities.reduce((sum, { before, after }) => sum + after - before, 0)
}

/** Changes that finished in a period and were not reverted by its end, in their order. */
export const loadFinishedChanges = async (
  query: Query,
  span: Span,
): Promise<ReviewContent['done']['changes']> => {
  const rows = await query(CHANGES, [span.cloud, span.cloudId, ...times(span)], changeRow)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    isUndone: row.state === 'undone',
    at: row.at.toISOString(),
    effect: effectOf(row),
  }))
}

/** Of each step of a removal the last record in the period, if the console or an agent has done it. */
const ORPHANS = `
WITH entry AS (
  SELECT DISTINCT ON (a.subject) a.subject, a.action, a.after->'intent' AS intent FROM audit_entry a
  WHERE a.cloud = $1 AND a.at >= $3::timestamptz AND a.at < $4::timestamptz AND a.action LIKE 'change.step.%'
  ORDER BY a.subject, a.at DESC, a.id DESC
)
SELECT count(*)::int AS mdevs, count(DISTINCT s.body->'task'->>'host')::int AS hosts
FROM entry t JOIN change_step s ON t.subject = 'change:' || s.change_id || '/step:' || (s.position + 1)
JOIN change ch ON ch.id = s.change_id AND ch.cloud_id = $2
WHERE t.action = 'change.step.happened' AND jsonb_typeof(t.intent) = 'object' AND s.body->'task'->>'kind' = 'remove-mdev'`
const orphansRow = z.object({ mdevs: z.int(), hosts: z.int() })

export const loadRemovedOrphans = async (
  query: Query,
  span: Span,
): Promise<ReviewContent['done']['orphans']> => {
  const [row] = await query(ORPHANS, [span.cloud, span.cloudId, ...times(span)], orphansRow)
  return row ?? { mdevs: 0, hosts: 0 }
}

/** A finding that comes back although it never closed is one whose acknowledgement ended. */
const STEPS = `
WITH entry AS (
  SELECT e.finding_id, e.id, e.at, e.kind, coalesce(e.severity, f.severity) AS severity, f.key, f.host,
    coalesce(e.sentence, f.body->>'sentence') AS sentence,
    e.kind <> 'closed' AND coalesce(lag(e.kind) OVER of_one, 'closed') = 'closed' AS opens,
    lead(e.kind) OVER of_one IS NULL AS is_last
  FROM finding_event e JOIN finding f ON f.id = e.finding_id
  WHERE f.cloud_id = $1 AND e.kind IN ('opened', 'closed', 'reopened') AND e.at < $3::timestamptz
  WINDOW of_one AS (PARTITION BY e.finding_id ORDER BY e.at, e.id)
), step AS (
  SELECT *, max(at) FILTER (WHERE opens) OVER (PARTITION BY finding_id) AS since FROM entry
)`

const COUNT_FINDINGS = `${STEPS}
SELECT (count(*) FILTER (WHERE at >= $2::timestamptz AND opens))::int AS opened,
  (count(*) FILTER (WHERE at >= $2::timestamptz AND kind = 'closed'))::int AS closed,
  (count(*) FILTER (WHERE is_last AND kind <> 'closed' AND severity = 'error'))::int AS error,
  (count(*) FILTER (WHERE is_last AND kind <> 'closed' AND severity = 'warning'))::int AS warning,
  (count(*) FILTER (WHERE is_last AND kind <> 'closed' AND severity = 'info'))::int AS info
FROM step`

const OPEN_FINDINGS = `${STEPS}
SELECT severity, since,
  CASE WHEN host IS NULL OR strpos(sentence, host) > 0 THEN sentence ELSE host || ': ' || sentence END AS sentence
FROM step f WHERE is_last AND kind <> 'closed' AND $2::timestamptz IS NOT NULL
ORDER BY ${SEVERITY_RANK}, since, key COLLATE "C" LIMIT $4`

const countRow = z.object({
  opened: z.int(),
  closed: z.int(),
  error: z.int(),
  warning: z.int(),
  info: z.int(),
})
const openRow = z.object({ severity: z.enum(SEVERITIES), sentence: z.string(), since: z.date() })

/**
 * Findings that opened and closed in a period, and those still open at its end, with their texts of that time and their
 * hosts.
 */
export const loadFindings = async (
  query: Query,
  span: Span,
  max: number,
): Promise<ReviewContent['findings']> => {
  const requested = [span.cloudId, ...times(span)]
  const [count] = await query(COUNT_FINDINGS, requested, countRow)
  const rows = await query(OPEN_FINDINGS, [span.cloudId, ...times(span), max], openRow)
  const { opened = 0, closed = 0, error = 0, warning = 0, info = 0 } = count ?? {}
  return {
    opened,
    closed,
    open: { error, warning, info },
    rows: rows.map(({ severity, sentence, since }) => ({
      severity,
      sentence,
      since: since.toISOString(),
    })),
  }
}
