import 'server-only'
import type { Query } from '@/lib/server/database/database'
import type { HostDecision } from './decide-group'
import { foldStatements } from './fold-statements'
import type { NumberedRows } from './history-numbers'
import { lockKnownHosts, requireCredentials } from './lock-hosts'
import type { LockedHost } from './locked-host'
import type { HostPlan } from './plan-group'
import { writeBodies } from './write-bodies'
import { type HistoryWrite, writeHistory, writeNumberedHistory } from './write-history'
import {
  type HostWrite,
  type ProblemsWrite,
  writeProblems,
  writeReportedHosts,
  writeSeenHosts,
  writeStretches,
  writeUsedCredentials,
} from './write-hosts'
import { writeTables } from './write-tables'

/** All that a group writes. */
export type GroupWrites = {
  plans: readonly HostPlan[]
  decisions: readonly HostDecision[]
  usedCredentials: readonly number[]
  at: Date
}

/** Cards and VFs that come or go are written one after the other: a VF's row needs its card's. */
const hasNewCards = ({ changes: { pgpus, virtualFunctions } }: HostPlan): boolean =>
  [pgpus, virtualFunctions].some(({ inserted, deleted }) => inserted.length > 0 || deleted.length > 0) ||
  virtualFunctions.updated.length > 0

/** What the group's reports add to the history, in the order of its plans. */
export const historyOf = ({ plans }: GroupWrites): HistoryWrite[] => plans.flatMap(({ history }) => history)

const writePresent = async (query: Query, plans: readonly HostPlan[]): Promise<void> => {
  const problems: ProblemsWrite[] = []
  for (const { decision, changes } of plans)
    if (changes.problems !== null) problems.push({ hostId: decision.host.id, problems: changes.problems })
  await writeBodies(
    query,
    plans.map(({ write }) => write),
  )
  await writeTables(query, plans)
  await writeProblems(query, problems)
}

type Seen = { seen: readonly HostDecision[]; reported: readonly HostWrite[] }

/** The hosts that only sent heartbeats, and those that reported. */
const hostWrites = ({ plans, decisions }: GroupWrites): Seen => ({
  seen: decisions.filter(({ applied }) => applied.length === 0),
  reported: plans.map(({ write }) => write),
})

/** Writes a group whose hosts' rows are locked. */
export const writeLockedGroup = async (query: Query, writes: GroupWrites): Promise<void> => {
  const { plans, decisions, usedCredentials, at } = writes
  const { seen, reported } = hostWrites(writes)
  const writeBelowHosts = async (below: Query): Promise<void> => {
    await writePresent(below, plans)
    await writeHistory(below, historyOf(writes))
  }
  // By itself: one statement may change a row once only, and this is two for a host whose facts changed.
  await writeReportedHosts(query, reported, { at, isKnown: false })
  if (plans.some(hasNewCards)) await writeBelowHosts(query)
  else await foldStatements(query, writeBelowHosts)
  await writeSeenHosts(query, seen, { at, isKnown: false })
  await writeStretches(query, decisions)
  await writeUsedCredentials(query, usedCredentials, at)
}

/**
 * Writes a group by what is known of its hosts, in a transaction that is sent in one go: no statement waits for the one before it,
 * so nothing is won by making one of several. The hosts' rows come first, for the transaction fails there unless each of
 * them stands as it is known.
 */
export const writeKnownGroup = async (
  query: Query,
  writes: GroupWrites,
  { hosts, numbered }: { hosts: readonly LockedHost[]; numbered: NumberedRows },
): Promise<void> => {
  const { plans, decisions, usedCredentials, at } = writes
  const { seen, reported } = hostWrites(writes)
  // One update locks in the order of ids as it goes. Two would lock one kind of hosts after the other.
  const isOneUpdate = seen.length === hosts.length || reported.length === hosts.length
  if (!isOneUpdate) await lockKnownHosts(query, hosts)
  const terms = { at, isKnown: isOneUpdate }
  await writeSeenHosts(query, seen, terms)
  await writeReportedHosts(query, reported, terms)
  await requireCredentials(query, hosts)
  await writePresent(query, plans)
  await writeNumberedHistory(query, numbered, historyOf(writes))
  await writeStretches(query, decisions)
  await writeUsedCredentials(query, usedCredentials, at)
}
