import 'server-only'
import type { Database, Query } from '@/lib/server/database/database'
import {
  type Cell,
  columnArrays,
  columnNames,
  moment,
  momentOf,
  pgArray,
  pgColumns,
} from '@/lib/server/database/pg-array'
import { type Statement, statement } from '@/lib/server/database/statement'
import { decideGroup, type GroupDecision, type HostDecision } from './decide-group'
import type { GroupMember, Outcome, ReportMember } from './group-member'
import { type HostPlan, planHost, type TableChanges } from './host-changes'
import { HOST_FACTS } from './host-rows'
import { loadRows, lockHosts } from './lock-hosts'
import { writeHistory } from './write-history'
import { writeTables, writeTypes } from './write-tables'

type ReportedHost = { plan: HostPlan; last: ReportMember }

type Update<Item> = { sql: Statement; cells: readonly ((item: Item) => Cell)[] }

// SQL: bulk updates with unnest.
/** Writes rows of hosts, all of them with one moment, $1. */
const updateOf = <Item>(
  columns: readonly { name: string; type: string; cell: (item: Item) => Cell }[],
  assignments: string,
): Update<Item> => {
  const all = columns.map(({ name, type }) => [name, type] as const)
  return {
    sql: statement(`
UPDATE host h SET ${assignments} FROM unnest(${columnArrays(all, 2)}) AS r (${columnNames(all)}) WHERE h.id = r.id`),
    cells: columns.map(({ cell }) => cell),
  }
}

const run = async <Item>(
  query: Query,
  update: Update<Item>,
  items: readonly Item[],
  at: Date,
): Promise<void> => {
  if (items.length > 0) await query(update.sql, [at.toISOString(), ...pgColumns(items, update.cells)])
}

/** Facts are passed as text. */
const CASTS: Partial<Record<(typeof HOST_FACTS)[number], string>> = {
  contract_revision: '::int',
  findings: '::jsonb',
  problems: '::jsonb',
}
const factsOf = (row: 'h' | 'r'): string =>
  HOST_FACTS.map((name) => `${row}.${name}${row === 'r' ? (CASTS[name] ?? '') : ''}`).join(', ')

const isChanged = ({ written, deleted }: TableChanges): boolean => written.length > 0 || deleted.length > 0

const REPORTED = updateOf<ReportedHost>(
  [
    { name: 'id', type: 'int', cell: ({ plan }) => plan.decision.host.id },
    { name: 'boot', type: 'int', cell: ({ plan }) => plan.decision.newest.boot },
    { name: 'sequence', type: 'int', cell: ({ plan }) => plan.decision.newest.sequence },
    { name: 'digest', type: 'text', cell: ({ last }) => last.digest },
    { name: 'taken_at', type: 'timestamptz', cell: ({ last }) => last.takenAt },
    { name: 'guests', type: 'int', cell: ({ last }) => last.rows.guestCount },
    { name: 'gpus', type: 'int', cell: ({ last }) => last.rows.pgpus.length },
    { name: 'problem_count', type: 'int', cell: ({ last }) => last.rows.problemCount },
    { name: 'dropped', type: 'int', cell: ({ last }) => last.droppedReports },
    { name: 'applied', type: 'int', cell: ({ plan }) => plan.decision.applied.length },
    {
      name: 'is_change',
      type: 'boolean',
      cell: ({ plan }) => isChanged(plan.pgpus) || isChanged(plan.guests),
    },
    { name: 'watched_since', type: 'bigint', cell: ({ plan }) => moment(plan.decision.watch.since) },
    { name: 'watched_at', type: 'bigint', cell: ({ plan }) => moment(plan.decision.watch.at) },
    ...HOST_FACTS.map((name, index) => ({
      name,
      type: 'text',
      cell: ({ last }: ReportedHost) => last.rows.facts[index] ?? null,
    })),
  ],
  `boot = r.boot, sequence = r.sequence, digest = r.digest, taken_at = r.taken_at, reported_at = $1::timestamptz,
  seen_at = $1::timestamptz, guest_count = r.guests, gpu_count = r.gpus, problem_count = r.problem_count,
  dropped_reports = r.dropped, applied_reports = h.applied_reports + r.applied,
  watched_since = ${momentOf('r.watched_since')}, watched_at = ${momentOf('r.watched_at')},
  (${HOST_FACTS.join(', ')}) = ROW (${factsOf('r')}),
  changed_xid = CASE WHEN r.is_change OR (${factsOf('h')}) IS DISTINCT FROM (${factsOf('r')})
    THEN pg_current_xact_id()::text::bigint ELSE h.changed_xid END`,
)

const SEEN = updateOf<HostDecision>(
  [
    { name: 'id', type: 'int', cell: ({ host }) => host.id },
    { name: 'boot', type: 'int', cell: ({ newest }) => newest.boot },
    { name: 'sequence', type: 'int', cell: ({ newest }) => newest.sequence },
    { name: 'watched_since', type: 'bigint', cell: ({ watch }) => moment(watch.since) },
    { name: 'watched_at', type: 'bigint', cell: ({ watch }) => moment(watch.at) },
  ],
  `boot = r.boot, sequence = r.sequence, seen_at = $1::timestamptz, watched_since = ${momentOf('r.watched_since')},
  watched_at = ${momentOf('r.watched_at')}`,
)

/** Positions, times, counts and facts of hosts that reported. */
const writeReportedHosts = (query: Query, plans: readonly HostPlan[], at: Date): Promise<void> => {
  const hosts = plans.flatMap((plan) => {
    const last = plan.decision.applied.at(-1)
    return last === undefined ? [] : [{ plan, last }]
  })
  return run(query, REPORTED, hosts, at)
}

/** Positions and times of hosts that sent heartbeats only. */
const writeSeenHosts = (query: Query, hosts: readonly HostDecision[], at: Date): Promise<void> =>
  run(query, SEEN, hosts, at)

// One binary parameter for all bodies: as elements of a bytea[] they would be sent as hex and be read byte by byte.
const WRITE_BODIES = statement(`
INSERT INTO host_inventory (host_id, body)
SELECT r.id, substring($1::bytea FROM r.start FOR r.length)
FROM unnest($2::int[], $3::int[], $4::int[]) AS r (id, start, length)
ON CONFLICT (host_id) DO UPDATE SET body = excluded.body`)

/** Stores the last report of each host. */
const writeBodies = async (query: Query, plans: readonly HostPlan[]): Promise<void> => {
  const parts: { id: number; body: Uint8Array; start: number }[] = []
  // As substring() counts.
  let start = 1
  for (const { decision } of plans) {
    const body = decision.applied.at(-1)?.body
    if (body === undefined) continue
    parts.push({ id: decision.host.id, body, start })
    start += body.byteLength
  }
  if (parts.length === 0) return
  const columns = pgColumns(parts, [({ id }) => id, (part) => part.start, ({ body }) => body.byteLength])
  await query(WRITE_BODIES, [Buffer.concat(parts.map(({ body }) => body)), ...columns])
}

const WRITE_USED = statement(`
UPDATE agent_credential SET last_used_at = $2::timestamptz
WHERE id = ANY($1::int[]) AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`)

/** When credentials were last used, to the minute. */
const writeUsedCredentials = async (
  query: Query,
  credentialIds: readonly number[],
  at: Date,
): Promise<void> => {
  if (credentialIds.length > 0) await query(WRITE_USED, [pgArray(credentialIds), at.toISOString()])
}

const WRITE_STRETCHES = statement(`
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until)
SELECT host_id, enrolment, boot, sequence, ${momentOf('since')}, ${momentOf('until')}
FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::bigint[])
  AS r (host_id, enrolment, boot, sequence, since, until)
ON CONFLICT DO NOTHING`)

/** Keeps the watched stretches that have ended. */
const writeStretches = async (query: Query, hosts: readonly HostDecision[]): Promise<void> => {
  const stretches = hosts.flatMap(({ host, ended }) => ended.map((interval) => ({ host, ...interval })))
  if (stretches.length === 0) return
  const params = pgColumns(stretches, [
    ({ host }) => host.id,
    ({ host }) => host.enrolment,
    ({ position }) => position.boot,
    ({ position }) => position.sequence,
    ({ since }) => moment(since),
    ({ until }) => moment(until),
  ])
  await query(WRITE_STRETCHES, params)
}

const planGroup = async (query: Query, { hosts }: GroupDecision): Promise<HostPlan[]> => {
  const reporting = hosts.filter(({ applied }) => applied.length > 0)
  const stored = await loadRows(
    query,
    reporting.map(({ host }) => host.id),
  )
  return reporting.map((decision) => {
    const rows = stored.get(decision.host.id)
    if (rows === undefined) throw new Error(`host ${decision.host.id} is locked but its rows were not read`)
    return planHost(decision, rows)
  })
}

const usedCredentials = ({ outcomes }: GroupDecision): number[] => {
  const ids = new Set<number>()
  for (const [{ actor }, { kind }] of outcomes) if (kind !== 'revoked') ids.add(actor.credentialId)
  return [...ids]
}

/**
 * Writes a group in one transaction and returns what became of each member once it has committed. The hosts' rows are locked
 * first, so groups of other consoles for the same hosts come before or after this one as a whole.
 */
export const commitGroup = ({
  database,
  members,
  now,
}: {
  database: Pick<Database, 'transaction'>
  members: readonly GroupMember[]
  now: () => Date
}): Promise<ReadonlyMap<GroupMember, Outcome>> =>
  database.transaction(async ({ query }) => {
    const hosts = await lockHosts(query, members)
    const decided = decideGroup({ members, hosts })
    const plans = await planGroup(query, decided)
    const at = now()
    await writeReportedHosts(query, plans, at)
    await writeBodies(query, plans)
    await writeTypes(
      query,
      plans.flatMap(({ types }) => types ?? []),
    )
    await writeTables(query, plans)
    await writeHistory(
      query,
      plans.flatMap(({ history }) => history),
    )
    const seen = decided.hosts.filter(({ applied }) => applied.length === 0)
    await writeSeenHosts(query, seen, at)
    await writeStretches(query, decided.hosts)
    await writeUsedCredentials(query, usedCredentials(decided), at)
    return decided.outcomes
  })
