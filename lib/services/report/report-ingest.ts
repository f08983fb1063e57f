import 'server-only'
import type { Logger } from '@/lib/server/context/log'
import type { Database } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import { errorCode } from '@/lib/server/errors/error-code'
import { ServiceError } from '@/lib/server/errors/service-error'
import { isConnectionLost, toServiceError } from '@/lib/server/errors/to-service-error'
import { commitGroup } from './commit-group'
import type { GroupMember, Outcome, ReportMember } from './group-member'
import { createGroupQueue } from './group-queue'
import { pickGroup } from './pick-group'
import { createReportAdmission, type ReportAdmission } from './report-admission'

/**
 * Reports that may wait, a few kB each. Beyond this the database is slower than the agents, and they get the time of a
 * retry.
 */
const MAX_WAITING = 5000
/** Reports that are parsed and not written yet. The others wait as they arrived, in a tenth of the memory. */
const MAX_PARSED = 256
/** A heartbeat holds next to nothing while it waits, and refused it comes again: to answer it twice costs more than it does. */
const HEARTBEATS_FOR_ONE = 10
const MAX_PER_GROUP = 128
const LINGER_MS = 2
/** PGlite has one connection. PostgreSQL takes a group while those before it are written and wait for the disk. */
const MAX_GROUPS = { pglite: 1, postgres: 3 }
/** A group takes about fifteen statements. With this many reports it starts while other groups are being written. */
const WORTHWHILE = 64

export type ReportIngest = {
  /** Where a report needs a place from when its body is there. */
  admission: ReportAdmission
  /** Reads a report when it is its turn, and resolves after the commit of its group. */
  take: (read: () => Promise<ReportMember>) => Promise<Outcome>
  /** Resolves after the commit of the member's group. */
  commit: (member: GroupMember) => Promise<Outcome>
  /** Finishes what waits and refuses what comes. */
  stop: () => Promise<void>
}

/**
 * Connection lost, out of resources, shut down, read-only: what the codes of PostgreSQL, Prisma and Node mean when nothing was wrong
 * with us.
 */
const isDatabaseAway = (error: unknown): boolean =>
  isConnectionLost(error) || /^(08|53|57|58|25006|E[A-Z]|P10|P2024|P2037)/.test(errorCode(error) ?? '')

/** A rule of the database that a report meets is a fault of ours: to an agent "conflict" would mean never to send it again. */
const failureOf = (error: unknown): ServiceError => {
  const failure = toServiceError(error)
  if (failure.code !== 'conflict' && failure.code !== 'not_found') return failure
  return new ServiceError(
    'internal',
    'The report could not be stored. The log of Sliceboard has the reason.',
    {
      cause: error,
    },
  )
}

/** At most `max` at a time; the others in the order in which they came. */
const createTurns = (max: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The place passes on to the next one.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** The one way of reports and heartbeats into the database of this process. */
export const createReportIngest = ({
  database,
  now,
  log,
  maxWaiting = MAX_WAITING,
}: {
  database: Database
  now: () => Date
  log: Logger
  maxWaiting?: number
}): ReportIngest => {
  const max = { report: maxWaiting, heartbeat: maxWaiting * HEARTBEATS_FOR_ONE }
  const inside = { report: 0, heartbeat: 0 }
  let isStopping = false

  const commitAlone = async (member: GroupMember): Promise<Outcome> => {
    const outcomes = await commitGroup({ database, members: [member], now })
    const outcome = outcomes.get(member)
    if (outcome === undefined) throw new Error('a member of a group got no outcome')
    return outcome
  }

  /** One after the other, so that what is wrong with one refuses that one alone. None is tried once the database is away. */
  const commitEach = async (
    members: readonly GroupMember[],
  ): Promise<ReadonlyMap<GroupMember, Outcome | Error>> => {
    const outcomes = new Map<GroupMember, Outcome | Error>()
    let away: ServiceError | null = null
    for (const member of members)
      try {
        outcomes.set(member, away ?? (await commitAlone(member)))
      } catch (error) {
        const failure = failureOf(error)
        outcomes.set(member, failure)
        if (isDatabaseAway(error)) away = failure
      }
    return outcomes
  }

  /** A failed group does not mean that its members are invalid, unless the database is unavailable. */
  const commitTogether = async (
    members: readonly GroupMember[],
  ): Promise<ReadonlyMap<GroupMember, Outcome | Error>> => {
    try {
      return await commitGroup({ database, members, now })
    } catch (error) {
      log.warn({ err: error, members: members.length }, 'A group of reports was not written')
      if (members.length === 1 || isDatabaseAway(error)) {
        const failure = failureOf(error)
        return new Map(members.map((member) => [member, failure]))
      }
      return commitEach(members)
    }
  }

  const queue = createGroupQueue<GroupMember, Outcome>({
    carryOut: async (members) => {
      const outcomes = await commitTogether(members)
      for (const { kind } of members) inside[kind] -= 1
      return outcomes
    },
    maxPerGroup: MAX_PER_GROUP,
    lingerMs: LINGER_MS,
    worthwhile: WORTHWHILE,
    pick: pickGroup,
    sideBySide: {
      max: MAX_GROUPS[database.kind],
      keyOf: ({ actor }) => actor.hostId,
    },
  })

  const admit = ({ kind }: GroupMember): void => {
    if (isStopping) {
      throw new AgentError(
        'shutting_down',
        'The console is stopping. Send the report again in a few seconds.',
        { retryAfterSeconds: 5 },
      )
    }
    if (inside[kind] >= max[kind]) {
      throw new AgentError(
        'overloaded',
        `${max[kind]} ${kind}s wait to be written, and no more are taken. Send the ${kind} again later.`,
        { retryAfterSeconds: 5 },
      )
    }
    inside[kind] += 1
  }

  const commit = (member: GroupMember): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      admit(member)
      queue.add(member, { resolve, reject })
    })

  const inTurn = createTurns(MAX_PARSED)
  return {
    admission: createReportAdmission({ max: maxWaiting }),
    take: (read) => inTurn(async () => commit(await read())),
    commit,
    stop: async () => {
      isStopping = true
      await queue.idle()
    },
  }
}
