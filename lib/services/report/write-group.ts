import 'server-only'
import type { Query } from '@/lib/server/database/database'
import type { HostDecision } from './decide-group'
import { foldStatements } from './fold-statements'
import type { HostPlan } from './plan-group'
import { writeBodies } from './write-bodies'
import { type HistoryWrite, writeHistory } from './write-history'
import {
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

const writeBelowHosts = async (query: Query, plans: readonly HostPlan[]): Promise<void> => {
  const problems: ProblemsWrite[] = []
  const history: HistoryWrite[] = []
  for (const plan of plans) {
    if (plan.changes.problems !== null)
      problems.push({ hostId: plan.decision.host.id, problems: plan.changes.problems })
    history.push(...plan.history)
  }
  await writeBodies(
    query,
    plans.map(({ write }) => write),
  )
  await writeTables(query, plans)
  await writeProblems(query, problems)
  await writeHistory(query, history)
}

/** Writes a group. `isSentAtOnce`: no statement waits for the one before it, so nothing is won by making one of several. */
export const writeGroup = async (
  query: Query,
  { plans, decisions, usedCredentials, at }: GroupWrites,
  { isSentAtOnce }: { isSentAtOnce: boolean },
): Promise<void> => {
  const hosts = plans.map(({ write }) => write)
  // By itself: one statement may change a row once only, and this is two for a host whose facts changed.
  await writeReportedHosts(query, hosts, at)
  if (isSentAtOnce || plans.some(hasNewCards)) await writeBelowHosts(query, plans)
  else await foldStatements(query, (folding) => writeBelowHosts(folding, plans))
  await writeSeenHosts(
    query,
    decisions.filter(({ applied }) => applied.length === 0),
    at,
  )
  await writeStretches(query, decisions)
  await writeUsedCredentials(query, usedCredentials, at)
}
