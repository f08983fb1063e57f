import 'server-only'
import type { LegacyQuotas } from '@/lib/domain/limits/set-up/judge-driver'
import { siteDefaults } from '@/lib/domain/limits/set-up/site-defaults'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'

/** One call each. */
const MOST_PROJECTS = 300
const AT_A_TIME = 6

/** What Nova answers as quotas, by project; one that could not be asked for is missing, and the first error stands beside. */
export const askQuotas = async (
  account: ServiceAccount,
  projectIds: readonly string[],
): Promise<{ quotas: ReadonlyMap<string, LegacyQuotas>; error: string | null }> => {
  const nova = createNova({ account })
  const quotas = new Map<string, LegacyQuotas>()
  let error: string | null = null
  const queue = projectIds.slice(0, MOST_PROJECTS)[Symbol.iterator]()
  const run = async () => {
    for (const id of queue) {
      if (error !== null) return
      try {
        quotas.set(id, await nova.getQuotas(id))
      } catch (thrown) {
        if (!isOpenStackError(thrown)) throw thrown
        error = thrown.message
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, run))
  return { quotas, error }
}

/** What projects without quotas of their own have, by the names of limits; empty where Nova does not tell. */
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
