import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { type Statement, statement } from '@/lib/server/database/statement'
import type { HostDecision } from './decide-group'
import type { ReportMember } from './group-member'
import { HOST_FACTS } from './host-rows'
import { KNOWN_CELLS, KNOWN_COLUMNS, STANDS_AS_KNOWN } from './lock-hosts'
import type { LockedHost } from './locked-host'
import {
  type Cell,
  columnArrays,
  columnNames,
  moment,
  momentOf,
  pgArray,
  pgColumns,
  pgRowColumns,
} from './pg-array'
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

type Written<Item> = readonly { name: string; type: string; cell: (item: Item) => Cell }[]

/** Writes rows of hosts, all of them with one moment, $1. */
type HostUpdate<Item> = {
  /** The hosts' rows are locked. */
  ofLocked: Statement
  /** The transaction fails with NOT_AS_KNOWN unless each host stands as it is known. */
  ofKnown: Statement
  cells: readonly ((item: Item) => Cell)[]
}

const updateOf = <Item>(columns: Written<Item>, assignments: string): HostUpdate<Item> => {
  const own = columns.map(({ name, type }) => [name, type] as const)
  const update = (all: readonly (readonly [string, string])[], condition: string): string => `
UPDATE host h SET ${assignments}
FROM unnest(${columnArrays(all, 2)}) AS r (${columnNames(all)}) WHERE h.id = r.id${condition}`
  return {
    ofLocked: statement(update(own, '')),
    ofKnown: statement(`
WITH moved AS (${update([...own, ...KNOWN_COLUMNS], ` AND ${STANDS_AS_KNOWN}`)} RETURNING 1)
SELECT require_hosts_as_known((SELECT count(*) FROM moved), cardinality($2::int[]))`),
    cells: columns.map(({ cell }) => cell),
  }
}

const runUpdate = <Item>(
  query: Query,
  { ofLocked, ofKnown, cells }: HostUpdate<Item>,
  {
    items,
    hostOf,
    at,
    isKnown,
  }: { items: readonly Item[]; hostOf: (item: Item) => LockedHost; at: Date; isKnown: boolean },
): Promise<unknown> => {
  const known = isKnown ? KNOWN_CELLS.map((cell) => (item: Item) => cell(hostOf(item))) : []
  return query(isKnown ? ofKnown : ofLocked, [at.toISOString(), ...pgColumns(items, [...cells, ...known])])
}

const REPORTED = updateOf<HostWrite>(
  [
    { name: 'id', type: 'int', cell: ({ decision }) => decision.host.id },
    { name: 'boot', type: 'int', cell: ({ decision }) => decision.newest.boot },
    { name: 'sequence', type: 'int', cell: ({ decision }) => decision.newest.sequence },
    { name: 'digest', type: 'text', cell: ({ last }) => last.digest },
    { name: 'taken_at', type: 'timestamptz', cell: ({ last }) => last.takenAt },
    { name: 'guests', type: 'int', cell: ({ last }) => last.rows.guestCount },
    { name: 'gpus', type: 'int', cell: ({ last }) => last.rows.pgpus.length },
    { name: 'problems', type: 'int', cell: ({ last }) => last.rows.problems.length },
    { name: 'dropped', type: 'int', cell: ({ last }) => last.droppedReports },
    { name: 'applied', type: 'int', cell: ({ decision }) => decision.applied.length },
    { name: 'is_change', type: 'boolean', cell: ({ isChange }) => isChange },
    { name: 'watched_since', type: 'bigint', cell: ({ decision }) => moment(decision.watch.since) },
    { name: 'watched_at', type: 'bigint', cell: ({ decision }) => moment(decision.watch.at) },
  ],
  `boot = r.boot, sequence = r.sequence, digest = r.digest, taken_at = r.taken_at, reported_at = $1::timestamptz,
  seen_at = $1::timestamptz, guest_count = r.guests, gpu_count = r.gpus, problem_count = r.problems,
  dropped_reports = r.dropped, applied_reports = h.applied_reports + r.applied,
  watched_since = ${momentOf('r.watched_since')}, watched_at = ${momentOf('r.watched_at')},
  changed_xid = CASE WHEN r.is_change THEN pg_current_xact_id()::text::bigint ELSE h.changed_xid END`,
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

/** `isKnown`: the hosts' rows are not locked yet, and have to stand as the console knows them. */
type HostTerms = { at: Date; isKnown: boolean }

/** Positions, times and counts of hosts that reported. */
export const writeReportedHosts = async (
  query: Query,
  hosts: readonly HostWrite[],
  terms: HostTerms,
): Promise<void> => {
  if (hosts.length === 0) return
  await runUpdate(query, REPORTED, { items: hosts, hostOf: ({ decision }) => decision.host, ...terms })
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
  terms: HostTerms,
): Promise<void> => {
  if (hosts.length === 0) return
  await runUpdate(query, SEEN, { items: hosts, hostOf: ({ host }) => host, ...terms })
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
