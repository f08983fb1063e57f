import 'server-only'
import type { Database, Query } from '@/lib/server/database/database'
import { decideGroup, type GroupDecision } from './decide-group'
import type { GroupMember, Outcome } from './group-member'
import { type HostPlan, planHost } from './host-changes'
import { loadRows, lockHosts } from './lock-hosts'
import { writeHistory } from './write-history'
import {
  writeBodies,
  writeReportedHosts,
  writeSeenHosts,
  writeStretches,
  writeUsedCredentials,
} from './write-hosts'
import { writeTables, writeTypes } from './write-tables'

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
