import 'server-only'
import type { Database, Query } from '@/lib/server/database/database'
import type { CredentialUses } from './credential-uses'
import { decideGroup, type HostDecision } from './decide-group'
import { foldStatements } from './fold-statements'
import type { GroupMember, Outcome } from './group-member'
import { compareHistory, compareHoldings, compareHost, type HostChanges, rowsAfter } from './host-changes'
import type { StoredRows } from './host-rows'
import type { HostState } from './host-state'
import type { HostStateCache } from './host-state-cache'
import { loadHostStates } from './load-host-states'
import { lockHosts } from './lock-hosts'
import { type BodyWrites, writeBodies } from './write-bodies'
import { type HistoryWrite, writeHistory } from './write-history'
import {
  type HostWrite,
  writeProblems,
  writeReportedHosts,
  writeSeenHosts,
  writeStretches,
  writeUsedCredentials,
} from './write-hosts'
import { type GroupTables, writeTables } from './write-tables'

type HostPlan = {
  decision: HostDecision
  changes: HostChanges
  write: HostWrite
  history: HistoryWrite[]
  after: HostState
}

/** What is stored of the reports themselves: the last whole one and each difference after it. */
const planBodies = ({ applied }: HostDecision, stored: HostState): BodyWrites => {
  let { version, fullVersion } = stored
  let full: Uint8Array | null = null
  let differences: BodyWrites['differences'] = []
  for (const { body } of applied) {
    version += 1
    if (body.base === null || body.full !== null) {
      full = body.full
      fullVersion = version
      differences = []
    } else differences.push({ place: version - fullVersion - 1, edits: body.edits })
  }
  return { full, fullVersion, differences }
}

/** What the reports of one host change, one after the other in the history, all at once in the present. */
const planHost = (decision: HostDecision, stored: HostState): HostPlan | null => {
  const last = decision.applied.at(-1)
  if (last === undefined) return null
  const history: HistoryWrite[] = []
  let rows: StoredRows = stored.rows
  for (const member of decision.applied) {
    const after = rowsAfter(rows, member.rows)
    history.push({
      decision,
      member,
      changes: compareHistory(rows, after),
      holdings: compareHoldings(rows, after),
    })
    rows = after
  }
  const changes = compareHost(stored.rows, rows)
  const bodies = planBodies(decision, stored)
  return {
    decision,
    changes,
    write: { decision, last, facts: changes.facts, isChange: changes.isChange, bodies },
    history,
    after: { version: stored.version + decision.applied.length, fullVersion: bodies.fullVersion, rows },
  }
}

const statesOf = async (
  query: Query,
  decisions: readonly HostDecision[],
  cache: HostStateCache,
): Promise<Map<number, HostState>> => {
  const states = new Map<number, HostState>()
  const unknown: number[] = []
  for (const { host } of decisions) {
    const state = cache.at(host.id, host.version)
    if (state === undefined) unknown.push(host.id)
    else states.set(host.id, state)
  }
  for (const [id, state] of await loadHostStates(query, unknown)) states.set(id, state)
  return states
}

/** Cards and VFs that come or go are written one after the other: a VF's row needs its card's. */
const hasNewCards = ({ changes: { pgpus, virtualFunctions } }: HostPlan): boolean =>
  [pgpus, virtualFunctions].some(({ inserted, deleted }) => inserted.length > 0 || deleted.length > 0) ||
  virtualFunctions.updated.length > 0

const writePlans = async (query: Query, plans: readonly HostPlan[], at: Date): Promise<void> => {
  const hosts = plans.map(({ write }) => write)
  // By itself: one statement may change a row once only, and this is two for a host whose facts changed.
  await writeReportedHosts(query, hosts, at)
  if (plans.some(hasNewCards)) await writeBelowHosts(query, plans)
  else await foldStatements(query, (folding) => writeBelowHosts(folding, plans))
}

const writeBelowHosts = async (query: Query, plans: readonly HostPlan[]): Promise<void> => {
  const part = (name: keyof GroupTables) =>
    plans.map(({ decision, changes }) => ({ hostId: decision.host.id, changes: changes[name] }))
  await writeBodies(
    query,
    plans.map(({ write }) => write),
  )
  await writeTables(query, {
    pgpus: part('pgpus'),
    virtualFunctions: part('virtualFunctions'),
    mdevs: part('mdevs'),
    guests: part('guests'),
    holdings: part('holdings'),
  })
  await writeProblems(
    query,
    plans.flatMap(({ decision, changes }) =>
      changes.problems === null ? [] : [{ hostId: decision.host.id, problems: changes.problems }],
    ),
  )
  await writeHistory(
    query,
    plans.flatMap(({ history }) => history),
  )
}

const usedCredentials = (outcomes: ReadonlyMap<GroupMember, Outcome>): number[] =>
  [...outcomes].flatMap(([{ actor }, { kind }]) => (kind === 'revoked' ? [] : [actor.credentialId]))

/**
 * Writes a group in one transaction and returns what became of each member once it has committed. The hosts' rows are
 * locked first, so groups of other consoles for the same hosts come wholly before or wholly after this one.
 */
export const commitGroup = async ({
  database,
  cache,
  uses,
  members,
  now,
}: {
  database: Database
  cache: HostStateCache
  uses: CredentialUses
  members: readonly GroupMember[]
  now: () => Date
}): Promise<Map<GroupMember, Outcome>> => {
  const { outcomes, plans, used } = await database.transaction(async (query) => {
    const locked = await lockHosts(query, members)
    const decided = decideGroup({ members, ...locked })
    const reporting = decided.hosts.filter(({ applied }) => applied.length > 0)
    const states = await statesOf(query, reporting, cache)
    const plans = reporting.flatMap((decision) => {
      const stored = states.get(decision.host.id)
      if (stored === undefined) throw new Error(`host ${decision.host.id} is locked but has no state`)
      return planHost(decision, stored) ?? []
    })
    const at = now()
    await writePlans(query, plans, at)
    await writeSeenHosts(
      query,
      decided.hosts.filter(({ applied }) => applied.length === 0),
      at,
    )
    await writeStretches(query, decided.hosts)
    const used = uses.due(usedCredentials(decided.outcomes), at)
    await writeUsedCredentials(query, used, at)
    return { outcomes: decided.outcomes, plans, used: { ids: used, at } }
  })
  uses.wrote(used.ids, used.at)
  for (const { decision, after } of plans) cache.put(decision.host.id, after)
  return outcomes
}
