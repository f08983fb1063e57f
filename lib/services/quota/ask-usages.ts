import 'server-only'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { lastByOwner } from '@/lib/server/sharing/last-by-owner'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { believedMs } from './believed-ms'

/** One call each, since Placement has none for several (placement/handlers/usage.py). */
const AT_A_TIME = 8
/** Of few projects: several people who open the page at once share one answer. */
const BELIEVED_MS = 15_000

export type ProjectUses = {
  uses: ReadonlyMap<string, ProjectUse>
  /** When the oldest of the answers came. */
  at: Date
}

type Last = { use: ProjectUse; at: Date }

const lastOf = lastByOwner<Last>('project-uses')

/** A service that gives no answer is not queried again for the others. */
const isDead = (error: unknown): boolean =>
  isOpenStackError(error) && (error.status === null || error.status >= 500 || error.status === 429)

export const lacksServers = (use: ProjectUse): boolean => use.usages !== null && use.servers === undefined

const because = (reason: string): ProjectUse => ({ usages: null, because: reason })

/** Of a project whose first count is still to come. */
export const NOT_YET = 'Placement has not answered yet'

type Input = {
  account: ServiceAccount
  /** The most important first. */
  projectIds: readonly string[]
  now: () => Date
  /** Nothing that was asked before is believed. */
  isFresh?: boolean
  /** Queries Nova for the number of servers, with one more call for each. */
  countsServers?: boolean
}

const askNow = async (input: Input): Promise<ProjectUses> => {
  const { account, projectIds, now, isFresh = false, countsServers = false } = input
  const nova = createNova({ account })
  const placement = createPlacement({ account })
  const last = lastOf(account)
  const uses = new Map<string, ProjectUse>()
  let oldest = now()
  let dead: string | null = null
  const maxAgeMs = believedMs(projectIds, BELIEVED_MS)
  const countServers = async (id: string): Promise<number | null> => {
    try {
      return await nova.countServers(id)
    } catch (error) {
      if (!isOpenStackError(error)) throw error
      return null
    }
  }
  const askOne = async (id: string): Promise<ProjectUse> => {
    if (dead !== null) return because(dead)
    try {
      const [usages, servers] = await Promise.all([
        placement.getProjectUsages(id),
        countsServers ? countServers(id) : undefined,
      ])
      return { usages, because: null, ...(servers === undefined ? {} : { servers }) }
    } catch (error) {
      if (!isOpenStackError(error)) throw error
      if (isDead(error)) dead = error.message
      return because(error.message)
    }
  }
  const cachedOrRead = async (id: string): Promise<ProjectUse> => {
    const held = last.get(id)
    const isHeld =
      held !== undefined &&
      now().getTime() - held.at.getTime() < maxAgeMs &&
      !(countsServers && lacksServers(held.use))
    if (isHeld && !isFresh) {
      if (held.at < oldest) oldest = held.at
      return held.use
    }
    const use = await askOne(id)
    if (use.usages === null) last.delete(id)
    else last.set(id, { use, at: now() })
    return use
  }
  const queue = projectIds[Symbol.iterator]()
  const run = async () => {
    for (const id of queue) uses.set(id, await cachedOrRead(id))
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, run))
  return { uses, at: oldest }
}

const share = shareByKey('usages')

/**
 * Placement's count of what projects hold, by project; a project that could not be read has the reason. Concurrent requests for
 * the same projects at once share one count.
 */
export const askUsages = (input: Input): Promise<ProjectUses> => {
  const { account, projectIds, isFresh = false, countsServers = false } = input
  return share(account, `${isFresh} ${countsServers} ${projectIds.join()}`, () => askNow(input))
}

/** The last counts, without a request. A project without one has the reason. */
export const lastUsages = ({
  account,
  projectIds,
  now,
  maxAgeMs = Number.POSITIVE_INFINITY,
}: Pick<Input, 'account' | 'projectIds' | 'now'> & { maxAgeMs?: number }): ProjectUses => {
  const last = lastOf(account)
  let at = now()
  const uses = projectIds.map((id): [string, ProjectUse] => {
    const held = last.get(id)
    if (held === undefined || now().getTime() - held.at.getTime() > maxAgeMs) return [id, because(NOT_YET)]
    if (held.at < at) at = held.at
    return [id, held.use]
  })
  return { uses: new Map(uses), at }
}
