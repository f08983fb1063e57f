import 'server-only'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import type { Database } from '@/lib/server/database/database'
import { errorCode } from '@/lib/server/error-code'
import type { Logger } from '@/lib/server/log'
import { ServiceError } from '@/lib/server/service-error'
import { isConnectionLost, toServiceError } from '@/lib/server/to-service-error'
import { commitGroup } from './commit-group'
import { createCredentialUses } from './credential-uses'
import type { GroupMember, Outcome } from './group-member'
import { createGroupQueue, type Waiter } from './group-queue'
import { createHostStateCache } from './host-state-cache'
import { pickGroup } from './pick-group'
import { createReportReader, type ReportReader } from './report-reader'
import { createReportRoom, type ReportRoom } from './report-room'
import { createRowBuilder, type RowBuilder } from './row-builder'
import { createReportTaker, type UnreadReport } from './take-reports'
import { createTypeRegistry } from './type-registry'

/** Beyond this the database is slower than the agents, and they are asked to come again. */
const MOST_WAITING = 2000
/** A heartbeat holds next to nothing while it waits, and refused it comes again: to answer it twice costs more than it does. */
const HEARTBEATS_FOR_ONE = 10
const MOST_PER_GROUP = 128
const LINGER_MS = 2
/** PGlite has one connection. PostgreSQL takes a group while those before it are written and wait for the disk. */
const MOST_GROUPS = { pglite: 1, postgres: 3 }
/** A group has costs of its own. So many are worth them: they wait for nobody, and begin beside another group. */
const WORTHWHILE = 20

export type ReportIngest = {
  /** Where a report needs a place from when its body is there. */
  room: ReportRoom
  /** Reads a report, together with those that came with it. Resolves after the commit of its group. */
  take: (report: UnreadReport) => Promise<Outcome>
  /** Parses and checks a report's JSON. */
  reader: ReportReader
  /** Makes a report's rows before it joins a group. */
  buildRows: RowBuilder
  /** Resolves after the commit of the member's group. */
  commit: (member: GroupMember) => Promise<Outcome>
  /** Finishes what waits and refuses what comes. */
  stop: () => Promise<void>
}

/**
 * Connection lost, out of resources, shut down, read-only: what PostgreSQL's error classes and Node say when nothing was wrong
 * with us.
 */
const isDatabaseAway = (error: unknown): boolean =>
  isConnectionLost(error) || /^(08|53|57|58|25006|E[A-Z])/.test(errorCode(error) ?? '')

/** A row refers to one that is not there: what we know of the database is not so any more. */
const isReferenceGone = (error: unknown): boolean => errorCode(error) === '23503'

/** A rule of the database that a report meets is a fault of ours: to an agent "conflict" would mean never to send it again. */
const failureOf = (error: unknown): ServiceError => {
  const failure = toServiceError(error)
  if (failure.code !== 'conflict' && failure.code !== 'not_found') return failure
  return new ServiceError('internal', 'The report could not be written: the log of Sliceboard says why.', {
    cause: error,
  })
}

/** The one way of reports and heartbeats into the database of this process. */
export const createReportIngest = ({
  database,
  now,
  log,
  mostWaiting = MOST_WAITING,
}: {
  database: Database
  now: () => Date
  log: Logger
  mostWaiting?: number
}): ReportIngest => {
  const cache = createHostStateCache()
  const uses = createCredentialUses()
  const types = createTypeRegistry(database.query)
  const most = { report: mostWaiting, heartbeat: mostWaiting * HEARTBEATS_FOR_ONE }
  const inside = { report: 0, heartbeat: 0 }
  let isStopping = false

  /** What stands by number in the database is asked for anew. */
  const forgetNumbers = (): void => {
    types.forget()
    cache.numbers.forget()
  }
  database.onDisconnect(forgetNumbers)

  const commitAlone = async (member: GroupMember): Promise<Outcome> => {
    const outcomes = await commitGroup({ database, cache, uses, members: [member], now })
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
        if (isDatabaseAway(error)) {
          forgetNumbers()
          away = failure
        }
      }
    return outcomes
  }

  /** A group that fails says nothing about its members, unless the database is away. */
  const commitTogether = async (
    members: readonly GroupMember[],
  ): Promise<ReadonlyMap<GroupMember, Outcome | Error>> => {
    try {
      return await commitGroup({ database, cache, uses, members, now })
    } catch (error) {
      // Behind the same address another database may answer from now on, which lacks what the last one had stored last.
      if (isDatabaseAway(error) || isReferenceGone(error)) forgetNumbers()
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
    mostPerGroup: MOST_PER_GROUP,
    lingerMs: LINGER_MS,
    worthwhile: WORTHWHILE,
    pick: pickGroup,
    sideBySide: {
      most: MOST_GROUPS[database.kind],
      keyOf: ({ actor }) => actor.hostId,
    },
  })

  /** Tells the waiter after the commit, or throws what refuses the member. */
  const commit = (member: GroupMember, waiter: Waiter<Outcome>): void => {
    if (isStopping) {
      throw new AgentError(
        'shutting_down',
        'The console is stopping. Send the report again in a few seconds.',
        {
          retryAfterSeconds: 5,
        },
      )
    }
    const { kind } = member
    if (inside[kind] >= most[kind]) {
      throw new AgentError(
        'overloaded',
        `${most[kind]} ${kind}s wait to be written, and no more are taken. Send the ${kind} again later.`,
        { retryAfterSeconds: 5 },
      )
    }
    inside[kind] += 1
    queue.add(member, waiter)
  }

  const reader = createReportReader()
  const buildRows = createRowBuilder(types)
  return {
    room: createReportRoom({ most: mostWaiting }),
    take: createReportTaker({ reader, buildRows, commit }),
    reader,
    buildRows,
    commit: (member) => new Promise((resolve, reject) => commit(member, { resolve, reject })),
    stop: async () => {
      isStopping = true
      await queue.idle()
    },
  }
}
