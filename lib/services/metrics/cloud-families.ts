import * as z from 'zod'
import type { MetricFamily, Sample } from '@/lib/domain/metrics/write-exposition'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { type StoredCost, storedCostSchema } from '@/lib/services/cloud-reading/stored-round'
import { isOpenAt } from '@/lib/services/finding/finding-row'
import type { Silence } from '@/lib/services/fleet/read-silence'

/** Agents report their versions themselves, so the number of labels from them is limited. */
const MAX_VERSIONS = 20

// SQL: aggregates.
const FINDINGS = `
SELECT f.cloud_id AS "cloudId", f.severity, f.code, count(*)::int AS count FROM finding f
WHERE f.cloud_id = ANY($1::int[]) AND ${isOpenAt('$2')} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

const AGENTS = `
SELECT cloud_id AS "cloudId", coalesce(agent_version, '') AS version, count(*)::int AS count,
  sum(applied_reports)::float8 AS applied, sum(dropped_reports)::float8 AS dropped
FROM current_host WHERE cloud_id = ANY($1::int[]) GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2`

const findingRow = z.object({ cloudId: z.int(), severity: z.string(), code: z.string(), count: z.int() })
const agentRow = z.object({
  cloudId: z.int(),
  version: z.string(),
  count: z.int(),
  applied: z.number(),
  dropped: z.number(),
})

type FindingRow = z.infer<typeof findingRow>
type AgentRow = z.infer<typeof agentRow>
type RoundRow = { cloudId: number; startedAt: Date; tookMs: number; cost: StoredCost[] }
type ChangeRow = { cloudId: number; state: string; count: number }

type Named = (cloudId: number) => { cloud: string }

const gauge = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples,
})

const counter = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  ...gauge(name, help, samples),
  type: 'counter',
})

const findingFamilies = (rows: readonly FindingRow[], named: Named): MetricFamily[] => [
  gauge(
    'sliceboard_findings_open',
    'Findings that are open, not acknowledged and not muted, by severity and code.',
    rows.map(({ cloudId, severity, code, count }) => ({
      labels: { ...named(cloudId), severity, code },
      value: count,
    })),
  ),
]

/** One entry for each cloud, with the sum over its rows. */
const sumByCloud = (rows: readonly AgentRow[], named: Named, read: (row: AgentRow) => number): Sample[] => {
  const sums = new Map<number, number>()
  for (const row of rows) sums.set(row.cloudId, (sums.get(row.cloudId) ?? 0) + read(row))
  return [...sums].map(([cloudId, value]) => ({ labels: named(cloudId), value }))
}

const versionSamples = (rows: readonly AgentRow[], named: Named): Sample[] => {
  const others = new Map<number, number>()
  const seen = new Map<number, number>()
  const samples: Sample[] = []
  for (const { cloudId, version, count } of rows) {
    const position = (seen.get(cloudId) ?? 0) + 1
    seen.set(cloudId, position)
    if (position <= MAX_VERSIONS) samples.push({ labels: { ...named(cloudId), version }, value: count })
    else others.set(cloudId, (others.get(cloudId) ?? 0) + count)
  }
  const rest = [...others].map(([cloudId, value]) => ({
    labels: { ...named(cloudId), version: 'other' },
    value,
  }))
  return [...samples, ...rest]
}

const agentFamilies = (rows: readonly AgentRow[], named: Named): MetricFamily[] => [
  gauge('sliceboard_agents', 'Hosts by the version of their agent.', versionSamples(rows, named)),
  counter(
    'sliceboard_reports_applied_total',
    'Reports of the present hosts that became the newest word.',
    sumByCloud(rows, named, ({ applied }) => applied),
  ),
  counter(
    'sliceboard_reports_dropped_total',
    'Reports that agents of the present hosts had to give up.',
    sumByCloud(rows, named, ({ dropped }) => dropped),
  ),
]

/** Without a token of Keystone's, Placement and Nova are not asked, so nothing is known of them. Tokens last for rounds. */
const isRequested = ({ service, requests, error }: StoredCost): boolean =>
  error !== null || requests > 0 || service === 'keystone'

const roundFamilies = (rows: readonly RoundRow[], named: Named): MetricFamily[] => [
  gauge(
    'sliceboard_round_started_timestamp_seconds',
    'When OpenStack was last read.',
    rows.map(({ cloudId, startedAt }) => ({ labels: named(cloudId), value: startedAt.getTime() / 1000 })),
  ),
  gauge(
    'sliceboard_round_duration_seconds',
    'How long the last reading of OpenStack took.',
    rows.map(({ cloudId, tookMs }) => ({ labels: named(cloudId), value: tookMs / 1000 })),
  ),
  gauge(
    'sliceboard_round_requests',
    'Requests of the last reading, by service.',
    rows.flatMap(({ cloudId, cost }) =>
      cost.map(({ service, requests }) => ({ labels: { ...named(cloudId), service }, value: requests })),
    ),
  ),
  gauge(
    'sliceboard_openstack_up',
    'Whether a service answered all requests of the last reading. Absent while it cannot be asked.',
    rows.flatMap(({ cloudId, cost }) =>
      cost.filter(isRequested).map(({ service, error }) => ({
        labels: { ...named(cloudId), service },
        value: error === null ? 1 : 0,
      })),
    ),
  ),
]

const changeFamilies = (rows: readonly ChangeRow[], named: Named): MetricFamily[] => [
  gauge(
    'sliceboard_changes',
    'Guided changes by state.',
    rows.map(({ cloudId, state, count }) => ({ labels: { ...named(cloudId), state }, value: count })),
  ),
]

/** Hosts by whether they report, and whether so many fell silent at once that the console itself is the likely cause. */
export const hostFamilies = (clouds: readonly { cloud: Cloud; silence: Silence }[]): MetricFamily[] => [
  gauge(
    'sliceboard_hosts',
    'Hosts with an agent, by whether they report.',
    clouds.flatMap(({ cloud, silence: { hostCount, silent } }) => [
      { labels: { cloud: cloud.name, state: 'reporting' }, value: hostCount - silent.length },
      { labels: { cloud: cloud.name, state: 'silent' }, value: silent.length },
    ]),
  ),
  gauge(
    'sliceboard_last_report_timestamp_seconds',
    'When a host of the cloud last reported.',
    clouds.flatMap(({ cloud, silence: { newestSeenAt } }) =>
      newestSeenAt === null ? [] : [{ labels: { cloud: cloud.name }, value: newestSeenAt.getTime() / 1000 }],
    ),
  ),
]

/**
 * Metrics of clouds from the database, in addition to their fleets. For services that have checked the caller's
 * permission.
 */
export const cloudFamilies = async (
  ctx: ServiceContext,
  clouds: readonly Cloud[],
): Promise<MetricFamily[]> => {
  const { query, prisma } = ctx.database
  const ids = clouds.map(({ id }) => id)
  const names = new Map(clouds.map(({ id, name }) => [id, name]))
  const named: Named = (cloudId) => ({ cloud: names.get(cloudId) ?? '' })
  const [findings, agents, rounds, changes] = await Promise.all([
    query(FINDINGS, [ids, ctx.now()], findingRow),
    query(AGENTS, [ids], agentRow),
    prisma.cloudRound.findMany({
      where: { cloudId: { in: ids } },
      select: { cloudId: true, startedAt: true, tookMs: true, cost: true },
      orderBy: { cloudId: 'asc' },
    }),
    prisma.change.groupBy({
      by: ['cloudId', 'state'],
      where: { cloudId: { in: ids } },
      _count: true,
      orderBy: [{ cloudId: 'asc' }, { state: 'asc' }],
    }),
  ])
  return [
    ...findingFamilies(findings, named),
    ...agentFamilies(agents, named),
    ...roundFamilies(
      rounds.map((round) => ({ ...round, cost: storedCostSchema.parse(round.cost) })),
      named,
    ),
    ...changeFamilies(
      changes.map((change) => ({ ...change, count: change._count })),
      named,
    ),
  ]
}
