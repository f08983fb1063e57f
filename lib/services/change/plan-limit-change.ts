import 'server-only'
import type * as z from 'zod'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { incompleteBecause } from '@/lib/domain/cloud/freshness'
import type { RequestedLimit } from '@/lib/domain/limits/effective-limit'
import { type LimitView, limitTable } from '@/lib/domain/limits/limit-view'
import { proposeLimits } from '@/lib/domain/limits/set-up/propose-limits'
import { describeQuotaConfigs } from '@/lib/domain/nova-config/layout/describe-quota-configs'
import { type LimitPlan, limitsInSteps, type PlanLimitsInput } from '@/lib/domain/plans/limits/plan-limits'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { planLimitsSchema } from '@/lib/schemas/api/limit-change-input'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { askNovaUser, mayReadLimits } from '@/lib/services/quota/ask-nova-user'
import { askUsages, lastUsages } from '@/lib/services/quota/ask-usages'
import { MAX_AWAITED } from '@/lib/services/quota/believed-ms'
import { inTimeOrLast } from '@/lib/services/quota/in-time-or-last'
import { loadLimitFleet } from '@/lib/services/quota/load-limit-fleet'
import { novaEndpointId } from '@/lib/services/quota/nova-endpoint'
import { projectOrder } from '@/lib/services/quota/project-order'
import { readSetUp } from '@/lib/services/quota/read-set-up'
import { formatNoun } from '@/lib/util/format'
import { inSlices } from '@/lib/util/in-slices'

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

type Projects = NonNullable<NonNullable<Input['setUp']>['projects']>

const isChosen = (projects: Projects, projectId: string): boolean =>
  'only' in projects ? projects.only.includes(projectId) : !projects.except.includes(projectId)

type Source = { account: ServiceAccount; fleet: Fleet; view: LimitView }
type Requested = Pick<PlanLimitsInput, 'wishes' | 'uses'>

/** The named limits, and those that projects take over from Nova's quotas and their use of GPUs. */
const takeOver = async (
  ctx: ServiceContext,
  { account, fleet, view }: Source,
  { limits, projects }: { limits: Input['limits']; projects: Projects },
): Promise<Requested> => {
  const read = await readSetUp(ctx, { account, fleet, view, isFresh: true, countsServers: false })
  if (read.reading.size > 0)
    throw new ServiceError(
      'unavailable',
      `Quotas and use of ${formatNoun(read.reading.size, 'project')} are still being read. Plan again when all ${read.projectIds.length} are read.`,
    )
  const defaults = new Map(
    limits.flatMap(({ resourceName, projectId, value }) =>
      projectId === null ? [[resourceName, value] as const] : [],
    ),
  )
  const needed = read.needed.map((each) => ({ ...each, proposed: defaults.get(each.resourceName) ?? null }))
  const chosen = read.legacy.filter(({ projectId }) => isChosen(projects, projectId))
  const proposals = await inSlices(
    proposeLimits({ view, needed, projects: chosen, uses: read.uses }),
    ctx.signal,
  )
  const keyOf = ({ resourceName, projectId }: RequestedLimit): string => `${resourceName} ${projectId}`
  const named = new Set(limits.map(keyOf))
  return {
    wishes: [...limits, ...proposals.filter((limit) => limit.projectId !== null && !named.has(keyOf(limit)))],
    uses: read.uses,
  }
}

/** Placement's count of what each project holds now; of many projects the last counts, but for those that the plan names. */
const usesNow = async (
  { now }: ServiceContext,
  { account, fleet, view }: Source,
  limits: Input['limits'],
): Promise<Requested['uses']> => {
  const projectIds = projectOrder(fleet, view)
  const isFew = projectIds.length <= MAX_AWAITED
  const all = { account, projectIds, now }
  const { uses } = await inTimeOrLast(projectIds, {
    reading: askUsages({ ...all, isFresh: isFew }),
    last: () => lastUsages(all),
  })
  if (isFew) return uses
  const known = new Set(projectIds)
  const named = [...new Set(limits.flatMap(({ projectId }) => projectId ?? []))].filter((id) => known.has(id))
  const fresh = await askUsages({ ...all, projectIds: named.slice(0, MAX_AWAITED), isFresh: true })
  return new Map([...uses, ...fresh.uses])
}

/** A plan for limits, with Placement's count of what each project holds now. */
export const planLimitChange = async (
  ctx: ServiceContext,
  { cloud, fleet: planned }: { cloud: Cloud; fleet: Fleet },
  input: Input,
): Promise<LimitPlan> => {
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  const projects = input.setUp?.projects ?? null
  // Nova's current quotas are compared with Keystone's current limits.
  const fleet = projects === null ? planned : ((await loadLimitFleet(ctx, { cloud, account })) ?? planned)
  const view = limitTable(fleet)
  if (view === null || account === undefined)
    throw new ServiceError(
      'unavailable',
      `Keystone's limits of cloud "${cloud.name}" could not be read: ${fleet.input.facts.limits.error ?? 'it is not configured'}`,
    )
  const incomplete = incompleteBecause(fleet.input, 'limits')
  if (incomplete !== null)
    throw new ServiceError('unavailable', `Limits of cloud "${cloud.name}" cannot be planned. ${incomplete}`)
  const { limits } = input
  const source = { account, fleet, view }
  const requested =
    projects === null
      ? { wishes: limits, uses: await usesNow(ctx, source, limits) }
      : await takeOver(ctx, source, { limits, projects })
  const { grant, configs } = await setUpOf(account, fleet, input.setUp)
  const removesStrays = input.setUp?.removesStrays === true
  const isSetUp = input.setUp !== null
  return inSlices(
    limitsInSteps(fleet, { view, ...requested, grant, isSetUp, configs, removesStrays }),
    ctx.signal,
  )
}
