import 'server-only'
import type { EffectiveLimit } from '@/lib/domain/limits/effective-limit'
import type { LegacyQuotas } from '@/lib/domain/limits/set-up/judge-driver'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { lastByOwner } from '@/lib/server/sharing/last-by-owner'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { believedMs } from './believed-ms'

const AT_A_TIME = 6

/** Nova's answer about a project, and Keystone's limits when it was requested: later limits would identify the wrong driver. */
type ReadQuotas = { quotas: LegacyQuotas; limits: readonly EffectiveLimit[] }

type Last = ReadQuotas & { at: Date }

const lastOf = lastByOwner<Last>('project-quotas')

type Input = {
  account: ServiceAccount
  projectIds: readonly string[]
  limitsOf: (projectId: string) => readonly EffectiveLimit[]
  now: () => Date
}

/** By project. The first error ends the reading; a project that was not read is missing. */
export type ProjectQuotas = { quotas: ReadonlyMap<string, ReadQuotas>; error: string | null }

const askNow = async ({ account, projectIds, limitsOf, now }: Input): Promise<ProjectQuotas> => {
  const nova = createNova({ account })
  const last = lastOf(account)
  const quotas = new Map<string, ReadQuotas>()
  let error: string | null = null
  const maxAgeMs = believedMs(projectIds, 0)
  const isBelieved = (held: Last | undefined): held is Last =>
    held !== undefined && now().getTime() - held.at.getTime() < maxAgeMs
  const queue = projectIds[Symbol.iterator]()
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

const share = shareByKey('project-quotas')

/** What Nova answers as quotas, one request for each project. Concurrent callers share the requests. */
export const askProjectQuotas = (input: Input): Promise<ProjectQuotas> =>
  share(input.account, input.projectIds.join(), () => askNow(input))

/** The last answers, without a request. */
export const lastProjectQuotas = ({
  account,
  projectIds,
  now,
  maxAgeMs,
}: Omit<Input, 'limitsOf'> & { maxAgeMs: number }): ProjectQuotas => {
  const last = lastOf(account)
  const found = projectIds.flatMap((id) => {
    const held = last.get(id)
    const isRecent = held !== undefined && now().getTime() - held.at.getTime() <= maxAgeMs
    return isRecent ? [[id, held] as const] : []
  })
  return { quotas: new Map(found), error: null }
}
