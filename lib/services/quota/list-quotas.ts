import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { cloudGap, incompleteBecause } from '@/lib/domain/cloud/freshness'
import { knownDriver } from '@/lib/domain/cloud/known-driver'
import { aliasUse, areAliasesCounted } from '@/lib/domain/limits/alias-use'
import { limitTable, limitView } from '@/lib/domain/limits/limit-view'
import { quotaTable } from '@/lib/domain/limits/quota-table'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { askUsages } from './ask-usages'
import { projectOrder } from './project-order'

const nothing = (cloud: string, because: string, isRead: boolean): QuotaList => ({
  cloud,
  isRead,
  readAt: null,
  countedAt: null,
  gap: null,
  region: null,
  table: null,
  because,
  hasSign: false,
  driverAnswer: null,
  aliases: { areCounted: null, uses: null },
})

const aliasesOf = (fleet: Fleet): QuotaList['aliases'] => ({
  areCounted: areAliasesCounted(fleet.input.facts.versions.nova),
  uses:
    aliasUse(fleet)?.map((use) => ({
      ...use,
      projectName: fleet.projects.get(use.projectId)?.name ?? use.projectId,
    })) ?? null,
})

/** Why nothing can be said of limits; null: it can. */
const silence = ({ facts }: Fleet['input']): string | null => {
  if (facts.limits.value === null) return `Keystone’s limits could not be read: ${facts.limits.error}`
  return facts.projects.value === null
    ? `Keystone’s projects could not be read: ${facts.projects.error}`
    : null
}

/** Limit, use and what is left of every project in every resource class; Placement is asked for the use now. */
export const listQuotas = async (ctx: ServiceContext, input: CloudScope): Promise<QuotaList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const loaded = await loadFleet(ctx, cloud)
  if (loaded === null) return nothing(cloud.name, 'OpenStack has not been read yet', false)
  const { fleet } = loaded
  const view = limitTable(fleet)
  const because = silence(fleet.input)
  if (view === null || because !== null) return nothing(cloud.name, because ?? 'Nothing is known', true)
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  const asked =
    account === undefined
      ? null
      : await askUsages({ account, projectIds: projectOrder(fleet, view), now: ctx.now })
  return {
    cloud: cloud.name,
    isRead: true,
    readAt: fleet.input.facts.limits.at,
    countedAt: asked?.at.toISOString() ?? null,
    gap: cloudGap(fleet.input, 'limits') ?? incompleteBecause(fleet.input, 'projects'),
    region: view.limits.novaRegionId,
    table: quotaTable(fleet, { view, uses: asked?.uses ?? new Map() }),
    because: null,
    hasSign: limitView(fleet) !== null,
    driverAnswer: knownDriver(fleet).source === 'answer' ? (fleet.input.quotaDriver ?? null) : null,
    aliases: aliasesOf(fleet),
  }
}
