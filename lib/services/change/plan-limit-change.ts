import 'server-only'
import type * as z from 'zod'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { incompleteBecause } from '@/lib/domain/cloud/freshness'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { describeQuotaConfigs } from '@/lib/domain/nova-config/layout/describe-quota-configs'
import { type LimitPlan, type PlanLimitsInput, planLimits } from '@/lib/domain/plans/limits/plan-limits'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { planLimitsSchema } from '@/lib/schemas/api/limit-change-input'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { askNovaUser, mayReadLimits } from '@/lib/services/quota/ask-nova-user'
import { askUsages } from '@/lib/services/quota/ask-usages'
import { novaEndpointId } from '@/lib/services/quota/nova-endpoint'
import { projectOrder } from '@/lib/services/quota/project-order'

type Input = z.output<typeof planLimitsSchema>

type SetUp = Pick<PlanLimitsInput, 'grant' | 'configs'>

/** For the setup: the user that gets the role, and the settings of nova-api and nova-conductor. */
const setUpOf = async (account: ServiceAccount, fleet: Fleet, setUp: Input['setUp']): Promise<SetUp> => {
  if (setUp === null) return { grant: null, configs: [] }
  const found = await askNovaUser({ account, name: setUp.user, domainId: setUp.domainId })
  if (found.user === null)
    throw new ServiceError(
      'validation',
      `The role of Nova's user cannot be planned: ${found.because}. Enter the user of [oslo_limit] in nova.conf.`,
      { field: 'setUp.user' },
    )
  const { id, name, domainId } = found.user
  const options = {
    endpointId: await novaEndpointId(account),
    authUrl: await account.endpoint('keystone'),
    userName: name,
    userDomainId: domainId,
  }
  const reported = fleet.hosts.flatMap(({ host }) => host.inventory.novaConfig?.deployment ?? [])
  return {
    grant: mayReadLimits(found) ? null : { id, name },
    configs: describeQuotaConfigs(options, reported),
  }
}

/** A plan for limits, with Placement's count of what each project holds now. */
export const planLimitChange = async (
  ctx: ServiceContext,
  { cloud, fleet }: { cloud: Cloud; fleet: Fleet },
  input: Input,
): Promise<LimitPlan> => {
  const view = limitTable(fleet)
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  if (view === null || account === undefined)
    throw new ServiceError(
      'unavailable',
      `Keystone's limits of cloud "${cloud.name}" could not be read: ${fleet.input.facts.limits.error ?? 'it is not configured'}`,
    )
  const incomplete = incompleteBecause(fleet.input, 'limits')
  if (incomplete !== null)
    throw new ServiceError('unavailable', `Limits of cloud "${cloud.name}" cannot be planned. ${incomplete}`)
  const projectIds = projectOrder(fleet, view)
  const { uses } = await askUsages({ account, projectIds, now: ctx.now, isFresh: true })
  const { grant, configs } = await setUpOf(account, fleet, input.setUp)
  const removesStrays = input.setUp?.removesStrays === true
  const isSetUp = input.setUp !== null
  return planLimits(fleet, { view, wishes: input.limits, uses, grant, isSetUp, configs, removesStrays })
}
