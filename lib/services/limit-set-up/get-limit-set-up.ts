import 'server-only'
import type * as z from 'zod'
import { readApiQuotas } from '@/lib/domain/cloud/api-quota'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { type LimitView, limitTable } from '@/lib/domain/limits/limit-view'
import { describeFacts } from '@/lib/domain/limits/set-up/describe-facts'
import { migrateCommand, proposeLimits } from '@/lib/domain/limits/set-up/propose-limits'
import { strayLimits } from '@/lib/domain/plans/limits/stray-limits'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { type LimitSetUpScope, limitSetUpScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { askNovaUser, mayReadLimits } from '@/lib/services/quota/ask-nova-user'
import { loadLimitFleet } from '@/lib/services/quota/load-limit-fleet'
import { novaEndpointId } from '@/lib/services/quota/nova-endpoint'
import { type ReadSetUp, readSetUp } from '@/lib/services/quota/read-set-up'
import { inSlices } from '@/lib/util/in-slices'
import { pageOf } from '@/lib/util/page-of'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'
import { dryRun } from './dry-run'

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
  total: 0,
  next: null,
  counts: { projects: 0, reading: 0, limits: 0 },
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

/** The page of the projects with all words. */
const pageOfProjects = (
  fleet: Fleet,
  { projectIds, quotas, reading }: ReadSetUp,
  { q, limit, cursor }: Pick<z.output<typeof limitSetUpScopeSchema>, 'q' | 'limit' | 'cursor'>,
) => {
  const words = searchTerms(q ?? '')
  const found = projectIds.filter((id) => hasTerms(`${nameOf(fleet, id)} ${id}`, words))
  const page = pageOf(found, { limit, cursor, keyOf: (id) => id })
  const projects = page.rows.map((projectId) => ({
    projectId,
    projectName: nameOf(fleet, projectId),
    quotas: quotas.get(projectId)?.quotas ?? null,
    isReading: reading.has(projectId),
  }))
  return { projects, total: page.total, next: page.next }
}

const share = shareByKey('limit-set-up')

/** The state of a cloud's migration to unified limits, what is missing, and what could be written. Nothing is written. */
export const getLimitSetUp = async (ctx: ServiceContext, input: LimitSetUpScope): Promise<LimitSetUp> => {
  requirePermission(ctx, 'fleet.read')
  const {
    user,
    domain: domainId,
    flavor,
    q,
    limit,
    cursor,
    ...scope
  } = parseInput(limitSetUpScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  const fleet = await loadLimitFleet(ctx, { cloud, account })
  const requested = { cloud: cloud.name, user, domainId }
  if (fleet === null) return nothing(requested, 'OpenStack has not been read yet', false)
  const view = limitTable(fleet)
  if (view === null || account === undefined)
    return nothing(requested, `Keystone’s limits could not be read: ${fleet.input.facts.limits.error}`, true)
  const isDryRun = flavor !== null
  const [read, novaUser, endpointId] = await Promise.all([
    // The dry run is only as accurate as the counts are recent, and needs the number of servers.
    readSetUp(ctx, { account, fleet, view, isFresh: isDryRun, countsServers: isDryRun }),
    share(account, JSON.stringify(['user', user, domainId]), () =>
      askNovaUser({ account, name: user, domainId }),
    ),
    novaEndpointId(account),
  ])
  await inSlices(prepareFlavors(fleet), ctx.signal)
  const { projectIds, uses, reading, driver, used, needed, legacy } = read
  const proposals = await inSlices(proposeLimits({ view, needed, projects: legacy, uses }), ctx.signal)
  const page = pageOfProjects(fleet, read, { q, limit, cursor })
  const listed = new Set<string | null>([null, ...page.projects.map(({ projectId }) => projectId)])
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
    ...page,
    counts: {
      projects: projectIds.length,
      reading: reading.size,
      limits: proposals.filter(({ projectId }) => projectId !== null).length,
    },
    proposals: proposals.filter(({ projectId }) => listed.has(projectId)),
    strayCount: strayCount(fleet, view),
    command: migrateCommand(view.limits.novaRegionId),
    driver: used,
    dryRun:
      flavor === null ? null : await inSlices(dryRun({ fleet, view, projectIds, uses }, flavor), ctx.signal),
    flavors: gpuFlavors(fleet)
      .filter(({ classes }) => classes.length > 0)
      .map(({ flavor: { id, name } }) => ({ id, name })),
  }
}
