import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { LimitFacts, Spoken } from '@/lib/domain/cloud/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { readLimits } from '@/lib/openstack/reading/read-limits'
import { IncompletePart } from '@/lib/openstack/reading/round'
import { failed, incompleteNow, spokenNow } from '@/lib/openstack/reading/spoken'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { ServiceContext } from '@/lib/server/service-context'
import { shareByKey } from '@/lib/server/share-by-key'

const share = shareByKey('limits-now')

const limitsNow = async (account: ServiceAccount, before: Spoken<LimitFacts>, now: Date) => {
  try {
    const limits = await readLimits({ account, memory: { model: null }, round: { now } })
    return limits instanceof IncompletePart
      ? incompleteNow(before, { value: limits.value, because: limits.because, now })
      : spokenNow(limits, now)
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    return failed(before, error.message, now)
  }
}

/**
 * The fleet with Keystone's limits of this moment: they are held against what Nova answers now, and limits of an earlier round
 * would blame the wrong driver. While Keystone does not answer, those of the last round stay, with its error.
 */
export const withLimitsNow = async (
  ctx: ServiceContext,
  account: ServiceAccount,
  fleet: Fleet,
): Promise<Fleet> => {
  const { facts } = fleet.input
  const limits = await share(account, 'limits', () => limitsNow(account, facts.limits, ctx.now()))
  return { ...fleet, input: { ...fleet.input, facts: { ...facts, limits } } }
}
