import 'server-only'
import type * as z from 'zod'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { cloudGap, incompleteBecause } from '@/lib/domain/cloud/freshness'
import { knownDriver } from '@/lib/domain/cloud/known-driver'
import { aliasUse, areAliasesCounted } from '@/lib/domain/limits/alias-use'
import {
  arrangeQuotas,
  countQuotas,
  isNear,
  isOver,
  type QuotaFilter,
} from '@/lib/domain/limits/arrange-quotas'
import { limitTable, limitView } from '@/lib/domain/limits/limit-view'
import { quotaTableInSteps } from '@/lib/domain/limits/quota-table'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { type QuotaScope, quotaScopeSchema } from '@/lib/schemas/api/quota-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { inSlices } from '@/lib/util/in-slices'
import { listedValues } from '@/lib/util/listed-values'
import { pageOf } from '@/lib/util/page-of'
import { askUsages, lastUsages, NOT_YET } from './ask-usages'
import { inTimeOrLast } from './in-time-or-last'
import { projectOrder } from './project-order'

const nothing = (cloud: string, because: string, isRead: boolean): QuotaList => ({
  cloud,
  isRead,
  readAt: null,
  countedAt: null,
  uncountedProjects: 0,
  gap: null,
  region: null,
  table: null,
  because,
  hasSign: false,
  driverAnswer: null,
  aliases: { areCounted: null, uses: null, total: 0 },
  total: 0,
  next: null,
})

/** The page shows those with most devices. */
const MAX_ALIAS_USES = 50

const aliasesOf = (fleet: Fleet): QuotaList['aliases'] => {
  const found = aliasUse(fleet, MAX_ALIAS_USES)
  return {
    areCounted: areAliasesCounted(fleet.input.facts.versions.nova),
    uses:
      found?.uses.map((use) => ({
        ...use,
        projectName: fleet.projects.get(use.projectId)?.name ?? use.projectId,
      })) ?? null,
    total: found?.total ?? 0,
  }
}

/** Why limits are unknown; null: they are known. */
const silence = ({ facts }: Fleet['input']): string | null => {
  if (facts.limits.value === null) return `Keystone’s limits could not be read: ${facts.limits.error}`
  return facts.projects.value === null
    ? `Keystone’s projects could not be read: ${facts.projects.error}`
    : null
}

const usesOf = async (ctx: ServiceContext, cloud: Cloud, projectIds: readonly string[]) => {
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  if (account === undefined) return null
  const wanted = { account, projectIds, now: ctx.now }
  return inTimeOrLast(projectIds, { reading: askUsages(wanted), last: () => lastUsages(wanted) })
}

type Wanted = Omit<z.output<typeof quotaScopeSchema>, 'cloud'>

const listNow = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { limit, cursor, ...wanted }: Wanted,
): Promise<QuotaList> => {
  const fleet = await loadFleet(ctx, cloud)
  if (fleet === null) return nothing(cloud.name, 'OpenStack has not been read yet', false)
  const view = limitTable(fleet)
  const because = silence(fleet.input)
  if (view === null || because !== null) return nothing(cloud.name, because ?? 'Nothing is known', true)
  const counted = await usesOf(ctx, cloud, projectOrder(fleet, view))
  const { classes, rows } = await inSlices(
    quotaTableInSteps(fleet, { view, uses: counted?.uses ?? new Map() }),
    ctx.signal,
  )
  const filter: QuotaFilter = {
    q: wanted.q ?? '',
    classes: listedValues(wanted.classes),
    projects: listedValues(wanted.projects),
    isGpu: wanted.gpu === 'true',
    isInUse: wanted.inUse === 'true',
    state: wanted.state ?? null,
    sort: wanted.sort ?? null,
    desc: wanted.desc === 'true',
  }
  const page = pageOf(arrangeQuotas({ classes, rows }, filter), {
    limit,
    cursor,
    keyOf: ({ resourceName, projectId }) => `${resourceName} ${projectId}`,
  })
  const over = countBy(rows.filter(isOver))
  const near = countBy(rows.filter(isNear))
  return {
    cloud: cloud.name,
    isRead: true,
    readAt: fleet.input.facts.limits.at,
    countedAt: counted?.at.toISOString() ?? null,
    uncountedProjects: [...(counted?.uses.values() ?? [])].filter((use) => use.because === NOT_YET).length,
    gap: cloudGap(fleet.input, 'limits') ?? incompleteBecause(fleet.input, 'projects'),
    region: view.limits.novaRegionId,
    table: {
      classes: classes.map((each) => ({
        ...each,
        over: over.get(each.resourceName) ?? 0,
        near: near.get(each.resourceName) ?? 0,
      })),
      rows: page.rows,
      counts: countQuotas({ classes, rows }, filter),
    },
    total: page.total,
    next: page.next,
    because: null,
    hasSign: limitView(fleet) !== null,
    driverAnswer: knownDriver(fleet).source === 'answer' ? (fleet.input.quotaDriver ?? null) : null,
    aliases: aliasesOf(fleet),
  }
}

const share = shareByKey('quotas')

/**
 * Limit, use and remainder of projects in resource classes, page by page; queries Placement for the current use. Equal requests at
 * the same time share one answer.
 */
export const listQuotas = async (ctx: ServiceContext, input: QuotaScope): Promise<QuotaList> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, ...wanted } = parseInput(quotaScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const key = JSON.stringify([cloud.id, wanted])
  return share(ctx.database, key, (signal) => listNow({ ...ctx, signal }, cloud, wanted), ctx.signal)
}

const countBy = (rows: readonly { resourceName: string }[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { resourceName } of rows) counts.set(resourceName, (counts.get(resourceName) ?? 0) + 1)
  return counts
}
