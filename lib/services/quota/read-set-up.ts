import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { effectiveLimit, ownLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'
import { QUOTA_NAMES } from '@/lib/domain/limits/set-up/judge-driver'
import { type JudgedSetUp, judgeSetUp } from '@/lib/domain/limits/set-up/judge-set-up'
import { siteDefaults } from '@/lib/domain/limits/set-up/site-defaults'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { askProjectQuotas, lastProjectQuotas, type ProjectQuotas } from './ask-project-quotas'
import { askUsages, lacksServers, lastUsages, NOT_YET } from './ask-usages'
import { believedMs, MAX_AWAITED } from './believed-ms'
import { inTimeOrLast } from './in-time-or-last'
import { projectOrder } from './project-order'

/** What is older is read again before it counts: plans follow from it. */
const MAX_AGE_MS = 120_000

/** The quotas of projects that have only the default, by the names of limits; empty if Nova does not report them. */
const askDefaults = async (
  account: ServiceAccount,
  [any]: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (any === undefined) return new Map()
  try {
    return siteDefaults(await createNova({ account }).getDefaultQuotas(any))
  } catch (thrown) {
    if (!isOpenStackError(thrown)) throw thrown
    return new Map()
  }
}

const shareDefaults = shareByKey('default-quotas')

export type ReadSetUp = JudgedSetUp & {
  /** The most important first. */
  projectIds: readonly string[]
  uses: ReadonlyMap<string, ProjectUse>
  quotas: ProjectQuotas['quotas']
  /** Projects whose quotas or use are still being read. */
  reading: ReadonlySet<string>
}

/** Nova's quotas and Placement's use of every project, and what they mean for the setup of unified limits. Of many projects the last values. */
export const readSetUp = async (
  ctx: ServiceContext,
  {
    account,
    fleet,
    view,
    isFresh,
    countsServers,
  }: { account: ServiceAccount; fleet: Fleet; view: LimitView; isFresh: boolean; countsServers: boolean },
): Promise<ReadSetUp> => {
  const projectIds = projectOrder(fleet, view)
  const own = ownLimits(view)
  const limitsOf = (projectId: string) =>
    QUOTA_NAMES.map(({ resourceName }) => effectiveLimit(fleet, view, { own, projectId, resourceName }))
  const base = { account, projectIds, now: ctx.now }
  const maxAgeMs = Math.max(MAX_AGE_MS, 2 * believedMs(projectIds, 0))
  const isNew = isFresh && projectIds.length <= MAX_AWAITED
  const [{ uses }, { quotas, error }, defaults] = await Promise.all([
    inTimeOrLast(projectIds, {
      reading: askUsages({ ...base, isFresh: isNew, countsServers }),
      last: () => lastUsages({ ...base, maxAgeMs }),
    }),
    inTimeOrLast(projectIds, {
      reading: askProjectQuotas({ ...base, limitsOf }),
      last: () => lastProjectQuotas({ ...base, maxAgeMs }),
    }),
    shareDefaults(account, projectIds.join(), () => askDefaults(account, projectIds)),
  ])
  const isReading = (id: string): boolean => {
    const use = uses.get(id)
    const hasUse = use !== undefined && !(countsServers && lacksServers(use)) && use.because !== NOT_YET
    return !hasUse || (error === null && !quotas.has(id))
  }
  const reading = new Set(projectIds.filter(isReading))
  return {
    ...judgeSetUp(fleet, view, { projectIds, quotas, error, defaults, isReading: reading.size > 0 }),
    ...{ projectIds, uses, quotas, reading },
  }
}
