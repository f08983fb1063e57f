import 'server-only'
import { readApiQuotas } from '@/lib/domain/cloud/api-quota'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { knownDriver } from '@/lib/domain/cloud/known-driver'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { type EffectiveLimit, effectiveLimit, ownLimits } from '@/lib/domain/limits/effective-limit'
import { type LimitView, limitTable } from '@/lib/domain/limits/limit-view'
import { describeFacts } from '@/lib/domain/limits/set-up/describe-facts'
import { judgeDriver, type ProjectAnswer, QUOTA_NAMES } from '@/lib/domain/limits/set-up/judge-driver'
import { neededLimits } from '@/lib/domain/limits/set-up/needed-limits'
import { migrateCommand, proposeLimits } from '@/lib/domain/limits/set-up/propose-limits'
import { siteDefaults } from '@/lib/domain/limits/set-up/site-defaults'
import { strayLimits } from '@/lib/domain/plans/limits/stray-limits'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { type LimitSetUpScope, limitSetUpScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { lastByOwner } from '@/lib/server/sharing/last-by-owner'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { askNovaUser, mayReadLimits } from '@/lib/services/quota/ask-nova-user'
import { askUsages, lacksServers, lastUsages, MAX_PROJECTS, NOT_YET } from '@/lib/services/quota/ask-usages'
import { inTimeOrLast, MAX_AWAITED } from '@/lib/services/quota/in-time-or-last'
import { novaEndpointId } from '@/lib/services/quota/nova-endpoint'
import { projectOrder } from '@/lib/services/quota/project-order'
import { inSlices } from '@/lib/util/in-slices'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { dryRun } from './dry-run'
import { loadLimitFleet } from './limits-now'

const AT_A_TIME = 6
/** Of many projects. Quotas change rarely, and a page that waits for the others reads again. */
const BELIEVED_MS = 60_000

/** Nova's answer about a project, and Keystone's limits when it was requested: later limits would identify the wrong driver. */
type ReadQuotas = Pick<ProjectAnswer, 'quotas' | 'limits'>

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
const askQuotas = async ({ account, projectIds, limitsOf, now }: Input): Promise<Answer> => {
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
const lastQuotas = ({
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
const askDefaults = async (
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
  unreadProjects: 0,
  proposals: [],
  strayCount: 0,
  command: migrateCommand(null),
  driver: null,
  dryRun: null,
  flavors: [],
})

const nameOf = (fleet: Fleet, id: string): string => fleet.projects.get(id)?.name ?? id

const strayCount = (fleet: Fleet, view: LimitView): number => {
  const { registered, limits } = strayLimits(fleet, view)
  return registered.length + limits.length
}

type Request = {
  account: ServiceAccount
  projectIds: readonly string[]
  limitsOf: (projectId: string) => readonly EffectiveLimit[]
  user: string
  domainId: string | null
  /** The dry run is only as accurate as the counts are recent, and needs the number of servers. */
  isDryRun: boolean
}

/** What is older is read again before it counts: plans follow from it. */
const MAX_AGE_MS = 120_000

const share = shareByKey('limit-set-up')

/** Concurrent callers share their requests to OpenStack, also for different flavors and users. */
const ask = async (
  ctx: ServiceContext,
  { account, projectIds, limitsOf, user, domainId, isDryRun }: Request,
) => {
  const projects = projectIds.join()
  const base = { account, projectIds, now: ctx.now }
  const isFresh = isDryRun && projectIds.length <= MAX_AWAITED
  const [usages, found, novaUser, endpointId, defaults] = await Promise.all([
    inTimeOrLast(projectIds, {
      reading: askUsages({ ...base, isFresh, countsServers: isDryRun }),
      last: () => lastUsages({ ...base, maxAgeMs: MAX_AGE_MS }),
    }),
    inTimeOrLast(projectIds, {
      reading: share(account, `quotas ${projects}`, () => askQuotas({ ...base, limitsOf })),
      last: () => lastQuotas({ ...base, maxAgeMs: MAX_AGE_MS }),
    }),
    share(account, JSON.stringify(['user', user, domainId]), () =>
      askNovaUser({ account, name: user, domainId }),
    ),
    novaEndpointId(account),
    share(account, `defaults ${projects}`, () => askDefaults(account, projectIds)),
  ])
  const { quotas, error } = found
  const isReading = (id: string): boolean => {
    const use = usages.uses.get(id)
    const hasUse = use !== undefined && !(isDryRun && lacksServers(use)) && use.because !== NOT_YET
    return !hasUse || (error === null && !quotas.has(id))
  }
  const reading = new Set(projectIds.slice(0, MAX_PROJECTS).filter(isReading))
  return { uses: usages.uses, quotas, error, reading, novaUser, endpointId, defaults }
}

/** The state of a cloud's migration to unified limits, what is missing, and what could be written. Nothing is written. */
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
  const own = ownLimits(view)
  const { uses, quotas, error, reading, novaUser, endpointId, defaults } = await ask(ctx, {
    account,
    projectIds,
    limitsOf: (projectId) =>
      QUOTA_NAMES.map(({ resourceName }) => effectiveLimit(fleet, view, { own, projectId, resourceName })),
    user,
    domainId,
    isDryRun: flavor !== null,
  })
  await inSlices(prepareFlavors(fleet), ctx.signal)
  const unread = fleet.input.facts.limits.error
  const isCut = isIncomplete(fleet.input.facts.limits)
  const driver =
    error !== null
      ? { driver: null, reported: `Nova’s quotas could not be read: ${error}` }
      : unread !== null
        ? { driver: null, reported: isCut ? unread : `Keystone’s limits could not be read: ${unread}` }
        : quotas.size === 0 && reading.size > 0
          ? { driver: null, reported: 'Nova’s quotas are still being read' }
          : judgeDriver([...quotas].map(([id, read]) => ({ ...read, projectName: nameOf(fleet, id) })))
  const projects = projectIds.slice(0, MAX_PROJECTS).map((projectId) => ({
    projectId,
    quotas: quotas.get(projectId)?.quotas ?? null,
    isReading: reading.has(projectId),
  }))
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
    projects: projects.map((each) => ({ ...each, projectName: nameOf(fleet, each.projectId) })),
    unreadProjects: projectIds.length - projects.length,
    proposals: proposeLimits({ view, needed, projects: legacy, uses }),
    strayCount: strayCount(fleet, view),
    command: migrateCommand(view.limits.novaRegionId),
    driver: used,
    dryRun: flavor === null ? null : dryRun({ fleet, view, projectIds, uses }, flavor),
    flavors: gpuFlavors(fleet)
      .filter(({ classes }) => classes.length > 0)
      .map(({ flavor: { id, name } }) => ({ id, name })),
  }
}
