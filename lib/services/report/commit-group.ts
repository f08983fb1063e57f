import 'server-only'
import type { Database, Query, Write } from '@/lib/server/database/database'
import { isDeadlock } from '@/lib/server/database/deadlock'
import { errorCode } from '@/lib/server/error-code'
import type { CredentialUses } from './credential-uses'
import { decideGroup, type GroupDecision, type HostDecision, hostAfter } from './decide-group'
import type { GroupMember, Outcome } from './group-member'
import type { HostState } from './host-state'
import type { HostStateCache } from './host-state-cache'
import { loadHostStates } from './load-host-states'
import { lockHosts, NOT_AS_KNOWN } from './lock-hosts'
import type { LockedHost } from './locked-host'
import { planHost } from './plan-group'
import { type GroupWrites, historyOf, writeKnownGroup, writeLockedGroup } from './write-group'
import { NUMBER_GONE } from './write-history'

type CommitInput = {
  database: Database
  cache: HostStateCache
  uses: CredentialUses
  members: readonly GroupMember[]
  now: () => Date
}

type Outcomes = Map<GroupMember, Outcome>

const reportingOf = ({ hosts }: GroupDecision): HostDecision[] =>
  hosts.filter(({ applied }) => applied.length > 0)

/** The states of the hosts that report, of which all that is not kept is asked for. */
const statesOf = async (
  cache: HostStateCache,
  decisions: readonly HostDecision[],
  load: (hostIds: readonly number[]) => Promise<Map<number, HostState>>,
): Promise<Map<number, HostState>> => {
  const states = new Map<number, HostState>()
  const unknown: number[] = []
  for (const { host } of decisions) {
    const state = cache.at(host.id, host.version)
    if (state === undefined) unknown.push(host.id)
    else states.set(host.id, state)
  }
  for (const [id, state] of await load(unknown)) states.set(id, state)
  return states
}

const usedCredentials = (outcomes: Outcomes): number[] => {
  const ids: number[] = []
  for (const [{ actor }, { kind }] of outcomes) if (kind !== 'revoked') ids.push(actor.credentialId)
  return ids
}

const planGroup = (
  { uses, now }: Pick<CommitInput, 'uses' | 'now'>,
  decided: GroupDecision,
  states: ReadonlyMap<number, HostState>,
): GroupWrites => {
  const plans = reportingOf(decided).flatMap((decision) => {
    const stored = states.get(decision.host.id)
    if (stored === undefined) throw new Error(`host ${decision.host.id} is locked but has no state`)
    return planHost(decision, stored) ?? []
  })
  const at = now()
  return {
    plans,
    decisions: decided.hosts,
    usedCredentials: uses.due(usedCredentials(decided.outcomes), at),
    at,
  }
}

/** What is known once a group has committed. */
const remember = (
  { cache, uses }: Pick<CommitInput, 'cache' | 'uses'>,
  { hosts, writes }: { hosts: readonly LockedHost[]; writes: GroupWrites },
): void => {
  uses.wrote(writes.usedCredentials, writes.at)
  for (const { decision, after } of writes.plans) cache.put(decision.host.id, after)
  cache.hosts.put(hosts)
  cache.hosts.put(writes.decisions.map(hostAfter))
}

/** The writes of a transaction that reads nothing, in their order. */
const recorded = async (work: (query: Query) => Promise<void>): Promise<Write[]> => {
  const writes: Write[] = []
  await work(async (sql, params = []) => {
    if (typeof sql === 'string') throw new Error('only prepared statements are sent in one go')
    writes.push({ statement: sql, params: params as Write['params'] })
    return []
  })
  return writes
}

/** What to do where the transaction proves something wrong that was known; false: nothing of it was. */
const wasWrong = ({ hosts, numbers }: HostStateCache, error: unknown): boolean => {
  // Somebody else writes the same hosts at once.
  if (errorCode(error) === NOT_AS_KNOWN || isDeadlock(error)) {
    hosts.wereWrong()
    return true
  }
  if (errorCode(error) !== NUMBER_GONE) return false
  numbers.forget()
  return true
}

/**
 * Writes a group by what is known of its hosts, in one message to the database and without asking it anything first but for numbers
 * of the history that are new. Null, and nothing is written, where something is not known or not so any more.
 */
const commitKnown = async ({ database, members, ...ctx }: CommitInput): Promise<Outcomes | null> => {
  const { cache } = ctx
  const hosts = cache.hosts.ofGroup(members)
  if (hosts === null) return null
  const decided = decideGroup({ members, hosts })
  const isKept = reportingOf(decided).every(({ host }) => cache.at(host.id, host.version) !== undefined)
  if (!isKept) return null
  const states = await statesOf(cache, reportingOf(decided), async () => new Map())
  const writes = planGroup(ctx, decided, states)
  const numbered = await cache.numbers.numberRows(database.query, historyOf(writes))
  if (numbered === null) return null
  const message = await recorded((query) => writeKnownGroup(query, writes, { hosts, numbered }))
  try {
    await database.pipeline(message)
  } catch (error) {
    if (!wasWrong(cache, error)) throw error
    return null
  }
  cache.hosts.wereRight()
  remember(ctx, { hosts, writes })
  return decided.outcomes
}

const commitLocked = async ({ database, members, ...ctx }: CommitInput): Promise<Outcomes> => {
  const { outcomes, ...done } = await database.transaction(async (query) => {
    const hosts = await lockHosts(query, members)
    const decided = decideGroup({ members, hosts })
    const states = await statesOf(ctx.cache, reportingOf(decided), (ids) => loadHostStates(query, ids))
    const writes = planGroup(ctx, decided, states)
    await writeLockedGroup(query, writes)
    return { outcomes: decided.outcomes, hosts, writes }
  })
  remember(ctx, done)
  return outcomes
}

/**
 * Writes a group in one transaction and returns what became of each member once it has committed. The hosts' rows are
 * locked first, so groups of other consoles for the same hosts come wholly before or wholly after this one. No two groups of
 * one console may have a host in common while they are written.
 */
export const commitGroup = async (input: CommitInput): Promise<Outcomes> =>
  (await commitKnown(input)) ?? (await commitLocked(input))
