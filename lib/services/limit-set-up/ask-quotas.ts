import 'server-only'
import type { EffectiveLimit } from '@/lib/domain/limits/effective-limit'
import type { AskedQuotas } from '@/lib/domain/limits/set-up/judge-driver'
import { siteDefaults } from '@/lib/domain/limits/set-up/site-defaults'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { lastByOwner } from '@/lib/server/sharing/last-by-owner'
import { MAX_PROJECTS } from '@/lib/services/quota/ask-usages'
import { MAX_AWAITED } from '@/lib/services/quota/in-time-or-last'

const AT_A_TIME = 6
/** Of many projects. Quotas change rarely, and a page that waits for the others reads again. */
const BELIEVED_MS = 60_000

/** Nova's answer about a project, and Keystone's limits when it was requested: later limits would identify the wrong driver. */
type ReadQuotas = Pick<AskedQuotas, 'quotas' | 'limits'>

type Last = ReadQuotas & { at: Date }

const lastOf = lastByOwner<Last>('project-quotas')

type Input = {
  account: ServiceAccount
  projectIds: readonly string[]
  limitsOf: (projectId: string) => readonly EffectiveLimit[]
  now: () => Date
}

/** By project. The first error ends the reading; a project that was not read is missing. */
type Answer = { quotas: ReadonlyMap<string, ReadQuotas>; error: string | null }

/** What Nova answers as quotas, one request for each project. */
export const askQuotas = async ({ account, projectIds, limitsOf, now }: Input): Promise<Answer> => {
  const nova = createNova({ account })
  const last = lastOf(account)
  const quotas = new Map<string, ReadQuotas>()
  let error: string | null = null
  const believedMs = projectIds.length > MAX_AWAITED ? BELIEVED_MS : 0
  const isBelieved = (held: Last | undefined): held is Last =>
    held !== undefined && now().getTime() - held.at.getTime() < believedMs
  const queue = projectIds.slice(0, MAX_PROJECTS)[Symbol.iterator]()
  const run = async () => {
    for (const id of queue) {
      if (error !== null) return
      try {
        const held = last.get(id)
        const read = isBelieved(held)
          ? held
          : { quotas: await nova.getQuotas(id), limits: limitsOf(id), at: now() }
        last.set(id, read)
        quotas.set(id, read)
      } catch (thrown) {
        if (!isOpenStackError(thrown)) throw thrown
        error = thrown.message
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, run))
  return { quotas, error }
}

/** The last answers, without a request. */
export const lastQuotas = ({
  account,
  projectIds,
  now,
  maxAgeMs,
}: Omit<Input, 'limitsOf'> & { maxAgeMs: number }): Answer => {
  const last = lastOf(account)
  const found = projectIds.flatMap((id) => {
    const held = last.get(id)
    const isRecent = held !== undefined && now().getTime() - held.at.getTime() <= maxAgeMs
    return isRecent ? [[id, held] as const] : []
  })
  return { quotas: new Map(found), error: null }
}

/** The quotas of projects that have only the default, by the names of limits; empty if Nova does not report them. */
export const askDefaults = async (
  account: ServiceAccount,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const [any] = projectIds
  if (any === undefined) return new Map()
  try {
    return siteDefaults(await createNova({ account }).getDefaultQuotas(any))
  } catch (thrown) {
    if (!isOpenStackError(thrown)) throw thrown
    return new Map()
  }
}
