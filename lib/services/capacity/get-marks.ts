import 'server-only'
import * as z from 'zod'
import { VGPUS_LOST_CODES } from '@/lib/domain/findings/cloud/codes'
import { findingTitle } from '@/lib/domain/findings/finding-title'
import {
  chooseMarks,
  longSilenceMs,
  type MarkEvent,
  nearMs,
  SHORTEST_CLOSED_MS,
} from '@/lib/domain/history/marks'
import { type CapacityMarksScope, capacityMarksScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import type { RowSchema } from '@/lib/server/database/row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { changeConcerns, findingConcerns, type MarkScope, memberQuery } from './marked-members'
import { requestedRange } from './requested-range'
import { requestedScope } from './requested-scope'

/** Of what there can be most of, the newest; more is no question of a chart. */
const MAX_CHANGES = 2000
const NAMED = 5

/** The parameters of a query in addition to the cloud, which is $1: of the whole cloud, or of the members in `member`. */
type Scoped = { text: string; params: unknown[] }

const withMembers = (cloudId: number, scope: MarkScope | null): { head: string; params: unknown[] } => {
  if (scope === null) return { head: '', params: [cloudId] }
  const { text, params } = memberQuery(cloudId, scope)
  return { head: `${text}, `, params }
}

/** Charts of the whole cloud name current hosts only. A host's own chart also shows its predecessors that were merged into it. */
const isRemoved = (host: string): string =>
  `EXISTS (SELECT 1 FROM host r WHERE r.cloud_id = $1 AND r.name = ${host} AND r.removed_at IS NOT NULL)`

// SQL: events are grouped in the database, and a replica may answer.

/** Changes that did something and are over. */
const changesOf = ({ cloudId, scope, from, until }: Requested): Scoped => {
  const { head, params } = withMembers(cloudId, scope)
  const at = params.length
  return {
    text: `
WITH ${head}ended AS (
  SELECT id, title, state, ended_at AS at, preview FROM change
  WHERE cloud_id = $1 AND started_at IS NOT NULL AND state IN ('done', 'undone', 'dropped')
    AND ended_at >= $${at + 1}::timestamptz AND ended_at < $${at + 2}::timestamptz
)
SELECT id, title, state, at FROM ended ch ${scope === null ? '' : `WHERE ${changeConcerns(scope)}`}
ORDER BY at DESC LIMIT ${MAX_CHANGES}`,
    params: [...params, new Date(from), new Date(until)],
  }
}

/**
 * Silences that began in the range; those that began close together are one row. A silence lasts from the end of a host's
 * latest interval with data to its next one, or continues (hosts that reported since the last parameter are not silent).
 * Those of other hosts are counted separately. The silence of a removed host ends with its removal.
 */
const silencesOf = ({ cloudId, scope, from, until, silentBefore }: Requested): Scoped => {
  const { head, params } = withMembers(cloudId, scope)
  const at = params.length
  const isMember = scope === null ? `NOT ${isRemoved('reported.name')}` : 'name IN (SELECT host FROM member)'
  return {
    text: `
WITH ${head}stretch AS (
  SELECT h.id, h.name, w.since, w.until FROM host h JOIN host_watch w ON w.host_id = h.id
  WHERE h.cloud_id = $1 AND w.until >= $${at + 1}::timestamptz
  UNION ALL
  SELECT id, name, watched_since, watched_at FROM host
  WHERE cloud_id = $1 AND watched_at IS NOT NULL AND watched_at >= $${at + 1}::timestamptz
  UNION ALL
  SELECT id, name, removed_at, 'infinity' FROM host WHERE cloud_id = $1 AND removed_at IS NOT NULL
), reported AS (
  SELECT name, max(until) OVER (PARTITION BY id ORDER BY since, until) AS at,
    lead(since) OVER (PARTITION BY id ORDER BY since, until) AS until
  FROM stretch
), silence AS (
  SELECT name, at, until, ${isMember} AS is_member FROM reported
  WHERE at < $${at + 2}::timestamptz
    AND extract(epoch FROM coalesce(until, $${at + 3}::timestamptz) - at) * 1000 >= $${at + 5}
)
SELECT min(at) AS at, CASE WHEN bool_or(until IS NULL) FILTER (WHERE is_member) THEN NULL
    ELSE max(until) FILTER (WHERE is_member) END AS until,
  count(DISTINCT name) FILTER (WHERE is_member)::int AS count, count(DISTINCT name)::int AS together,
  (array_agg(DISTINCT name) FILTER (WHERE is_member))[1:${NAMED}] AS hosts
FROM silence GROUP BY floor(extract(epoch FROM at) * 1000 / $${at + 4}) HAVING bool_or(is_member) ORDER BY 1`,
    params: [
      ...params,
      new Date(from),
      new Date(until),
      new Date(silentBefore),
      nearMs({ from, until }),
      longSilenceMs({ from, until }),
    ],
  }
}

/** Errors, and findings that remove vGPUs; the silence of a host has its own mark. */
const TELLING_CODES = ['orphan-mdevs', ...VGPUS_LOST_CODES]
const MARKED_SEPARATELY = 'host-silent'

/**
 * Findings that opened, and those that came back after they had been closed for a while, in the words of then: one whose
 * acknowledgement ended was there all the time.
 */
const findingsOf = ({ cloudId, scope, from, until }: Requested): Scoped => {
  const { head, params } = withMembers(cloudId, scope)
  const at = params.length
  return {
    text: `
WITH ${head}event AS (
  SELECT e.finding_id, e.at, e.kind, e.sentence, lag(e.kind) OVER of_one AS before, lag(e.at) OVER of_one AS before_at
  FROM finding f JOIN finding_event e ON e.finding_id = f.id
  WHERE f.cloud_id = $1 AND e.kind IN ('opened', 'closed', 'reopened') AND e.at < $${at + 2}::timestamptz
    AND (f.severity = 'error' OR f.code = ANY($${at + 4}::text[])) AND f.code <> '${MARKED_SEPARATELY}'
  WINDOW of_one AS (PARTITION BY e.finding_id ORDER BY e.at, e.id)
), opened AS (
  SELECT f.*, t.at, t.before IS NOT NULL AS is_again, coalesce(t.sentence, f.body->>'sentence') AS message,
    coalesce(nullif(concat_ws(' ', f.host, f.address), ''), f.body->'subject'->>'name') AS whose
  FROM event t JOIN finding f ON f.id = t.finding_id
  WHERE t.at >= $${at + 1}::timestamptz AND t.kind <> 'closed' AND (t.before IS NULL
    OR (t.before = 'closed' AND extract(epoch FROM t.at - t.before_at) * 1000 >= ${SHORTEST_CLOSED_MS}))
)
SELECT code, severity, min(at) AS at,
  coalesce(array_agg(DISTINCT id) FILTER (WHERE NOT is_again), '{}') AS opened,
  coalesce(array_agg(DISTINCT id) FILTER (WHERE is_again), '{}') AS again,
  (array_agg(CASE WHEN starts_with(message, whose || ' ') THEN '' ELSE coalesce(whose || ': ', '') END || message ORDER BY at, id))[1]
    AS first
FROM opened f WHERE ${scope === null ? `NOT ${isRemoved('f.host')}` : findingConcerns(scope)}
GROUP BY code, severity, floor(extract(epoch FROM at) * 1000 / $${at + 3}) ORDER BY 3`,
    params: [...params, new Date(from), new Date(until), nearMs({ from, until }), pgArray(TELLING_CODES)],
  }
}

const HOSTS = 'SELECT count(*)::int AS count FROM current_host WHERE cloud_id = $1 AND watched_at IS NOT NULL'

type Requested = {
  cloudId: number
  /** Null: of the whole cloud. */
  scope: MarkScope | null
  from: number
  until: number
  /** Hosts that reported since are not silent. */
  silentBefore: number
}

const changeRow = z.object({
  id: z.int(),
  title: z.string(),
  state: z.enum(['done', 'undone', 'dropped']),
  at: z.date(),
})
const silenceRow = z.object({
  at: z.date(),
  until: z.date().nullable(),
  count: z.int(),
  together: z.int(),
  hosts: z.array(z.string()),
})
const findingRow = z.object({
  code: z.string(),
  severity: z.string(),
  at: z.date(),
  opened: z.array(z.int()),
  again: z.array(z.int()),
  first: z.string(),
})
const countRow = z.object({ count: z.int() })

/** What happened in a range that a time axis may be marked with, and how many hosts the cloud has. Times in ms. */
const loadMarkEvents = async (
  query: Query,
  requested: Requested,
): Promise<{ events: MarkEvent[]; hostCount: number }> => {
  const ask = <Row>({ text, params }: Scoped, row: RowSchema<Row>): Promise<Row[]> => query(text, params, row)
  const changes = await ask(changesOf(requested), changeRow)
  const silences = await ask(silencesOf(requested), silenceRow)
  const findings = await ask(findingsOf(requested), findingRow)
  const [hosts] = await query(HOSTS, [requested.cloudId], countRow)
  return {
    hostCount: hosts?.count ?? 0,
    events: [
      ...changes.map((row) => ({ ...row, kind: 'change' as const, at: row.at.getTime() })),
      ...silences.map((row) => ({
        ...row,
        kind: 'silence' as const,
        at: row.at.getTime(),
        until: row.until?.getTime() ?? null,
      })),
      ...findings.map((row) => ({
        ...row,
        kind: 'finding' as const,
        at: row.at.getTime(),
        title: findingTitle(row.code),
      })),
    ],
  }
}

/**
 * What a chart of the capacity is marked with: changes that ended, hosts that fell silent for long, findings that opened; of the
 * chart of a group, a host or a pGPU what concerns it.
 */
export const getMarks = async (ctx: ServiceContext, input: CapacityMarksScope): Promise<CapacityMarks> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, from, until, ...requested } = parseInput(capacityMarksScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const range = requestedRange(ctx, { from, until })
  const silentBefore = ctx.now().getTime() - ctx.silentAfterSeconds * 1000
  const { events, hostCount } = await loadMarkEvents(ctx.database.history, {
    cloudId: cloud.id,
    scope: await requestedScope(ctx, cloud, requested),
    ...range,
    silentBefore,
  })
  const { marks, more } = chooseMarks(events, { ...range, hostCount })
  return {
    cloud: cloud.name,
    from: new Date(range.from).toISOString(),
    until: new Date(range.until).toISOString(),
    marks: marks.map(({ at, until, of, ...mark }) => ({
      ...mark,
      at: new Date(at).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      of: [...of],
    })),
    more,
  }
}
