import 'server-only'
import { CLOUD_FINDING_TITLES } from '@/lib/domain/findings/cloud/codes'
import { FINDING_TITLES } from '@/lib/domain/findings/codes'
import { longSilenceMs, type MarkEvent, nearMs } from '@/lib/domain/history/marks'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/services/report/pg-array'

/** Of what there can be most of, the newest; more is no question of a chart. */
const MOST_CHANGES = 2000
const NAMED = 5

/** Changes that did something and are over. */
const CHANGES = `
SELECT id, title, state, ended_at AS at FROM change
WHERE cloud_id = $1 AND started_at IS NOT NULL AND state IN ('done', 'undone', 'dropped')
  AND ended_at >= $2::timestamptz AND ended_at < $3::timestamptz
ORDER BY ended_at DESC LIMIT ${MOST_CHANGES}`

/**
 * Silences that began in the range, those that began within $5 ms as one row: from the end of all stretches of a host so far to
 * its next one, or on ($4: hosts that spoke since are not silent).
 */
const SILENCES = `
WITH stretch AS (
  SELECT h.id, h.name, w.since, w.until FROM host h JOIN host_watch w ON w.host_id = h.id
  WHERE h.cloud_id = $1 AND w.until >= $2::timestamptz
  UNION ALL
  SELECT id, name, watched_since, watched_at FROM host
  WHERE cloud_id = $1 AND watched_at IS NOT NULL AND watched_at >= $2::timestamptz
), told AS (
  SELECT name, max(until) OVER (PARTITION BY id ORDER BY since, until) AS at,
    lead(since) OVER (PARTITION BY id ORDER BY since, until) AS until
  FROM stretch
), silence AS (
  SELECT name, at, until FROM told
  WHERE at < $3::timestamptz AND extract(epoch FROM coalesce(until, $4::timestamptz) - at) * 1000 >= $6
)
SELECT min(at) AS at, CASE WHEN bool_or(until IS NULL) THEN NULL ELSE max(until) END AS until,
  count(DISTINCT name)::int AS count, (array_agg(DISTINCT name))[1:${NAMED}] AS hosts
FROM silence GROUP BY floor(extract(epoch FROM at) * 1000 / $5) ORDER BY 1`

/** Errors, and what takes vGPUs away; that a host is silent is told by its silence. */
const TELLING_CODES = ['orphan-mdevs', 'vgpus-stranded']
const TOLD_OTHERWISE = 'host-silent'

const FINDINGS = `
SELECT f.code, f.severity, min(e.at) AS at, count(DISTINCT f.id)::int AS count,
  (array_agg(DISTINCT f.id))[1:${NAMED}] AS ids,
  (array_agg(coalesce(nullif(concat_ws(' ', f.host, f.address), '') || ': ', f.body->'subject'->>'name' || ': ', '')
    || (f.body->>'sentence') ORDER BY e.at, f.id))[1] AS first
FROM finding f JOIN finding_event e ON e.finding_id = f.id
WHERE f.cloud_id = $1 AND e.kind IN ('opened', 'reopened') AND e.at >= $2::timestamptz AND e.at < $3::timestamptz
  AND (f.severity = 'error' OR f.code = ANY($5::text[])) AND f.code <> '${TOLD_OTHERWISE}'
GROUP BY f.code, f.severity, floor(extract(epoch FROM e.at) * 1000 / $4) ORDER BY 3`

const HOSTS = 'SELECT count(*)::int AS count FROM host WHERE cloud_id = $1 AND watched_at IS NOT NULL'

type ChangeRow = { id: number; title: string; state: 'done' | 'undone' | 'dropped'; at: Date }
type SilenceRow = { at: Date; until: Date | null; count: number; hosts: string[] }
type FindingRow = { code: string; severity: string; at: Date; count: number; ids: number[]; first: string }

const titles: Readonly<Record<string, string>> = { ...FINDING_TITLES, ...CLOUD_FINDING_TITLES }

/** What happened in a range that a time axis may be marked with, and how many hosts the cloud has. `heard`: hosts that spoke since are not silent. */
export const loadMarkEvents = async (
  query: Query,
  { cloudId, from, until, heard }: { cloudId: number; from: number; until: number; heard: number },
): Promise<{ events: MarkEvent[]; hostCount: number }> => {
  const during = [cloudId, new Date(from), new Date(until)]
  const [near, shortest] = [nearMs({ from, until }), longSilenceMs({ from, until })]
  const changes = await query<ChangeRow>(CHANGES, during)
  const silences = await query<SilenceRow>(SILENCES, [...during, new Date(heard), near, shortest])
  const findings = await query<FindingRow>(FINDINGS, [...during, near, pgArray(TELLING_CODES)])
  const [hosts] = await query<{ count: number }>(HOSTS, [cloudId])
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
        title: titles[row.code] ?? row.code.replaceAll('-', ' '),
      })),
    ],
  }
}
