import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { LimitFacts, PartReading } from '@/lib/domain/cloud/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { failed, incompleteNow, readNow } from '@/lib/openstack/reading/part-reading'
import { readLimits } from '@/lib/openstack/reading/read-limits'
import { IncompletePart } from '@/lib/openstack/reading/round'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'

const share = shareByKey('limits-now')

const limitsNow = async (account: ServiceAccount, before: PartReading<LimitFacts>, now: Date) => {
  try {
    const limits = await readLimits({ account, memory: { model: null }, round: { now } })
    return limits instanceof IncompletePart
      ? incompleteNow(before, { value: limits.value, because: limits.because, now })
      : readNow(limits, now)
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    return failed(before, error.message, now)
  }
}

/**
 * The current fleet of a cloud with Keystone's current limits: Nova's current quotas are compared with them, and limits of an
 * earlier round would identify the wrong driver. While Keystone does not respond, those of the last round remain, with its
 * error. Null before the first round. Concurrent callers share one read, which begins before the database is queried: readers
 * that leave the database one by one would request the limits one by one. For services that have checked the permission.
 */
export const loadLimitFleet = (
  ctx: ServiceContext,
  { cloud, account }: { cloud: Cloud; account: ServiceAccount | undefined },
): Promise<Fleet | null> =>
  share(
    ctx.database,
    `${cloud.id}`,
    async (signal) => {
      const fleet = await loadFleet({ ...ctx, signal }, cloud)
      if (fleet === null || account === undefined) return fleet
      const { input } = fleet
      const limits = await limitsNow(account, input.facts.limits, ctx.now())
      return { ...fleet, input: { ...input, facts: { ...input.facts, limits } } }
    },
    ctx.signal,
  )
