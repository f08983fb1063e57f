import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import type { HostDecision } from './decide-group'
import type { ReportMember } from './group-member'
import { HOST_FACTS } from './host-rows'
import { type Cell, moment, momentOf, pgArray, pgColumns, pgRowColumns } from './pg-array'
import type { BodyWrites } from './write-bodies'

/** What a group's last report of a host says of the host itself. */
export type HostWrite = {
  decision: HostDecision
  last: ReportMember
  /** Null: as they are stored. */
  facts: readonly Cell[] | null
  isChange: boolean
  bodies: BodyWrites
}

const WRITE_REPORTED = statement(`
UPDATE host h SET boot = r.boot, sequence = r.sequence, digest = r.digest, taken_at = r.taken_at,
  reported_at = $14::timestamptz, seen_at = $14::timestamptz, guest_count = r.guests, gpu_count = r.gpus, problem_count = r.problems,
  dropped_reports = r.dropped, applied_reports = h.applied_reports + r.applied,
  watched_since = ${momentOf('r.watched_since')}, watched_at = ${momentOf('r.watched_at')},
  changed_xid = CASE WHEN r.is_change THEN pg_current_xact_id()::text::bigint ELSE h.changed_xid END
FROM unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::timestamptz[], $6::int[], $7::int[], $8::int[], $9::int[],
  $10::int[], $11::boolean[], $12::bigint[], $13::bigint[])
  AS r (id, boot, sequence, digest, taken_at, guests, gpus, problems, dropped, applied, is_change, watched_since, watched_at)
WHERE h.id = r.id`)

const WRITE_SEEN = statement(`
UPDATE host h SET boot = r.boot, sequence = r.sequence, seen_at = $6::timestamptz,
  watched_since = ${momentOf('r.watched_since')}, watched_at = ${momentOf('r.watched_at')}
FROM unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::bigint[])
  AS r (id, boot, sequence, watched_since, watched_at) WHERE h.id = r.id`)

/** Facts travel as text. */
const CASTS: Partial<Record<(typeof HOST_FACTS)[number], string>> = {
  findings: '::jsonb',
  contract_revision: '::int',
}

const WRITE_FACTS = statement(`
UPDATE host h SET ${HOST_FACTS.map((name) => `${name} = r.${name}${CASTS[name] ?? ''}`).join(', ')}
FROM unnest($1::int[], ${HOST_FACTS.map((_, place) => `$${place + 2}::text[]`).join(', ')})
  AS r (id, ${HOST_FACTS.join(', ')})
WHERE h.id = r.id`)

/** Positions, times and counts of hosts that reported. */
export const writeReportedHosts = async (
  query: Query,
  hosts: readonly HostWrite[],
  at: Date,
): Promise<void> => {
  if (hosts.length === 0) return
  const params = pgColumns(hosts, [
    ({ decision }) => decision.host.id,
    ({ decision }) => decision.newest.boot,
    ({ decision }) => decision.newest.sequence,
    ({ last }) => last.digest,
    ({ last }) => last.takenAt,
    ({ last }) => last.rows.guestCount,
    ({ last }) => last.rows.pgpus.length,
    ({ last }) => last.rows.problems.length,
    ({ last }) => last.droppedReports,
    ({ decision }) => decision.applied.length,
    ({ isChange }) => isChange,
    ({ decision }) => moment(decision.watch.since),
    ({ decision }) => moment(decision.watch.at),
  ])
  await query(WRITE_REPORTED, [...params, at.toISOString()])
  const changed = hosts.filter(({ facts }) => facts !== null)
  if (changed.length === 0) return
  const ids = pgColumns(changed, [({ decision }) => decision.host.id])
  const facts = changed.map(({ facts: cells }) => cells ?? [])
  await query(WRITE_FACTS, [...ids, ...pgRowColumns(facts, HOST_FACTS.length)])
}

/** Positions and times of hosts that only sent heartbeats. */
export const writeSeenHosts = async (
  query: Query,
  hosts: readonly HostDecision[],
  at: Date,
): Promise<void> => {
  if (hosts.length === 0) return
  const params = pgColumns(hosts, [
    ({ host }) => host.id,
    ({ newest }) => newest.boot,
    ({ newest }) => newest.sequence,
    ({ watch }) => moment(watch.since),
    ({ watch }) => moment(watch.at),
  ])
  await query(WRITE_SEEN, [...params, at.toISOString()])
}

const WRITE_USED = statement(
  'UPDATE agent_credential SET last_used_at = $2::timestamptz WHERE id = ANY($1::int[])',
)

export const writeUsedCredentials = async (
  query: Query,
  credentialIds: readonly number[],
  at: Date,
): Promise<void> => {
  if (credentialIds.length === 0) return
  await query(WRITE_USED, [pgArray(credentialIds), at.toISOString()])
}

const DELETE_PROBLEMS = statement('DELETE FROM problem WHERE host_id = ANY($1::int[])')
const INSERT_PROBLEMS = statement(`
INSERT INTO problem (host_id, source, code, message)
SELECT a, b, c, d FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS r (a, b, c, d, place)
ORDER BY place`)

export type ProblemsWrite = { hostId: number; problems: readonly (readonly Cell[])[] }

/** Replaces the problems of the given hosts. */
export const writeProblems = async (query: Query, hosts: readonly ProblemsWrite[]): Promise<void> => {
  if (hosts.length === 0) return
  await query(DELETE_PROBLEMS, [pgArray(hosts.map(({ hostId }) => hostId))])
  const rows = hosts.flatMap(({ hostId, problems }) => problems.map((cells) => [hostId, ...cells]))
  if (rows.length === 0) return
  await query(INSERT_PROBLEMS, pgRowColumns(rows, 4))
}

const WRITE_STRETCHES = statement(`
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until)
SELECT host_id, enrolment, boot, sequence, ${momentOf('since')}, ${momentOf('until')}
FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::bigint[])
  AS r (host_id, enrolment, boot, sequence, since, until)
ON CONFLICT DO NOTHING`)

/** Keeps the watched stretches that have ended. */
export const writeStretches = async (query: Query, hosts: readonly HostDecision[]): Promise<void> => {
  const stretches = hosts.flatMap(({ host, ended }) => ended.map((stretch) => ({ host, ...stretch })))
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
