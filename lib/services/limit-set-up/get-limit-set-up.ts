import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import 'server-only'
import { readApiQuotas } from '@/lib/domain/cloud/api-quota'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { knownDriver } from '@/lib/domain/cloud/known-driver'
import { effectiveLimit, ownLimits } from '@/lib/domain/limits/effective-limit'
import { type LimitView, limitTable } from '@/lib/domain/limits/limit-view'
import { type NextServer, nextServer } from '@/lib/domain/limits/next-server'
import { describeFacts } from '@/lib/domain/limits/set-up/describe-facts'
import {
  type AskedQuotas,
  judgeDriver,
  type LegacyQuotas,
  QUOTA_NAMES,
} from '@/lib/domain/limits/set-up/judge-driver'
import { neededLimits } from '@/lib/domain/limits/set-up/needed-limits'
import { migrateCommand, proposeLimits } from '@/lib/domain/limits/set-up/propose-limits'
import { strayLimits } from '@/lib/domain/plans/limits/stray-limits'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { type LimitSetUpScope, limitSetUpScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { askNovaUser, mayReadLimits } from '@/lib/services/quota/ask-nova-user'
import { type AskedUses, askUsages } from '@/lib/services/quota/ask-usages'
import { novaEndpointId } from '@/lib/services/quota/nova-endpoint'
import { projectOrder } from '@/lib/services/quota/project-order'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { askDefaults, askQuotas } from './ask-quotas'
import { loadLimitFleet } from './limits-now'

const nothing = (
  scope: Pick<LimitSetUp, 'cloud' | 'user' | 'domainId'>,
  because: string,
  isRead: boolean,
): LimitSetUp => ({
  ...scope,
  isRead,
  because,
  region: null,
  facts: [],
  needed: [],
  projects: [],
  proposals: [],
  strayCount: 0,
  command: migrateCommand(null),
  driver: null,
  dryRun: null,
  flavors: [],
})

type Seen = {
  fleet: Fleet
  view: LimitView
  projectIds: readonly string[]
  quotas: ReadonlyMap<string, LegacyQuotas>
  uses: AskedUses['uses']
}

const nameOf = ({ fleet }: Pick<Seen, 'fleet'>, id: string): string => fleet.projects.get(id)?.name ?? id

const quotasByProject = ({ fleet, view, quotas }: Seen): AskedQuotas[] => {
  const own = ownLimits(view)
  return [...quotas].map(([projectId, found]) => ({
    projectName: nameOf({ fleet }, projectId),
    quotas: found,
    limits: QUOTA_NAMES.map(({ resourceName }) =>
      effectiveLimit(fleet, view, { own, projectId, resourceName }),
    ),
  }))
}

const messageOf = (answer: NextServer): string | null => {
  if (answer.state === 'refused') return answer.message
  if (answer.state === 'unknown') return answer.because
  return answer.unchecked.length === 0
    ? null
    : 'As far as is known: Nova did not tell how many servers it has.'
}

/** How Nova would answer the next server of a flavor, for each project that may use it. */
const dryRun = ({ fleet, view, uses, projectIds }: Seen, flavorId: string): LimitSetUp['dryRun'] => {
  const found = gpuFlavors(fleet).find(({ flavor }) => flavor.id === flavorId)
  if (found === undefined) return null
  const { flavor } = found
  const own = ownLimits(view)
  const allowed = projectIds.filter((id) => flavor.isPublic || flavor.projectIds?.includes(id))
  return {
    flavorId,
    projects: allowed.map((projectId) => {
      const answer = nextServer(fleet, view, { own, projectId, use: uses.get(projectId), flavor })
      return {
        projectId,
        projectName: nameOf({ fleet }, projectId),
        state: answer.state,
        message: messageOf(answer),
      }
    }),
  }
}

const strayCount = (fleet: Fleet, view: LimitView): number => {
  const { registered, limits } = strayLimits(fleet, view)
  return registered.length + limits.length
}

type Asked = {
  account: ServiceAccount
  projectIds: readonly string[]
  user: string
  domainId: string | null
  isFresh: boolean
}

const share = shareByKey('limit-set-up')

/** Concurrent callers share their requests to OpenStack, also for different flavors and users. */
const ask = async (ctx: ServiceContext, { account, projectIds, user, domainId, isFresh }: Asked) => {
  const projects = projectIds.join()
  const [usages, found, novaUser, endpointId, defaults] = await Promise.all([
    askUsages({ account, projectIds, now: ctx.now, isFresh, countsServers: isFresh }),
    share(account, `quotas ${projects}`, () => askQuotas(account, projectIds)),
    share(account, JSON.stringify(['user', user, domainId]), () =>
      askNovaUser({ account, name: user, domainId }),
    ),
    novaEndpointId(account),
    share(account, `defaults ${projects}`, () => askDefaults(account, projectIds)),
  ])
  return { uses: usages.uses, ...found, novaUser, endpointId, defaults }
}

/** Where a cloud is on the way to unified limits, what is missing, and what could be written. Nothing is written. */
export const getLimitSetUp = async (ctx: ServiceContext, input: LimitSetUpScope): Promise<LimitSetUp> => {
  requirePermission(ctx, 'fleet.read')
  const { user, domain: domainId, flavor, ...scope } = parseInput(limitSetUpScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  const fleet = await loadLimitFleet(ctx, { cloud, account })
  const requested = { cloud: cloud.name, user, domainId }
  if (fleet === null) return nothing(requested, 'OpenStack has not been read yet', false)
  const view = limitTable(fleet)
  if (view === null || account === undefined)
    return nothing(requested, `Keystone’s limits could not be read: ${fleet.input.facts.limits.error}`, true)
  const projectIds = projectOrder(fleet, view)
  const { uses, quotas, error, novaUser, endpointId, defaults } = await ask(ctx, {
    account,
    projectIds,
    user,
    domainId,
    // The dry run is only as accurate as the counts are recent.
    isFresh: flavor !== null,
  })
  const seen: Seen = { fleet, view, projectIds, quotas, uses }
  const unread = fleet.input.facts.limits.error
  const isCut = isIncomplete(fleet.input.facts.limits)
  const driver =
    error !== null
      ? { driver: null, said: `Nova’s quotas could not be read: ${error}` }
      : unread !== null
        ? { driver: null, said: isCut ? unread : `Keystone’s limits could not be read: ${unread}` }
        : judgeDriver(quotasByProject(seen))
  const projects = projectIds.map((projectId) => ({ projectId, quotas: quotas.get(projectId) ?? null }))
  // Nova's own words prove more than a file that it may not have read yet, or a person.
  const used = driver.driver ?? knownDriver(fleet).driver
  // With unified limits they are Keystone's, and 0 for a name that is to be registered.
  const needed = neededLimits(fleet, view, used === 'legacy' ? defaults : undefined)
  // Nova with unified limits answers Keystone's own values: there is nothing to take over.
  const legacy = used === 'unified' ? projects.map((each) => ({ ...each, quotas: null })) : projects
  return {
    ...requested,
    isRead: true,
    because: null,
    region: view.limits.novaRegionId,
    facts: describeFacts({
      fleet,
      view,
      needed,
      driver,
      endpointId,
      apis: readApiQuotas(fleet),
      user: {
        name: user,
        domainId,
        mayRead: mayReadLimits(novaUser),
        roles: novaUser.roles,
        because: novaUser.because,
      },
    }),
    needed,
    projects: projects.map((each) => ({ ...each, projectName: nameOf(seen, each.projectId) })),
    proposals: proposeLimits({ view, needed, projects: legacy, uses }),
    strayCount: strayCount(fleet, view),
    command: migrateCommand(view.limits.novaRegionId),
    driver: used,
    dryRun: flavor === null ? null : dryRun(seen, flavor),
    flavors: gpuFlavors(fleet)
      .filter(({ classes }) => classes.length > 0)
      .map(({ flavor: { id, name } }) => ({ id, name })),
  }
}
