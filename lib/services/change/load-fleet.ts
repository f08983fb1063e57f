import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadToldAliases } from '@/lib/services/cloud/told-aliases'
import { loadToldDriver } from '@/lib/services/cloud/told-driver'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { loadTraitMemory } from '@/lib/services/cloud-reading/trait-memory'
import { loadKeptTraits } from '@/lib/services/kept-trait/kept-trait-rows'
import { loadRemovedNames } from '@/lib/services/stored-host/removed-host-rows'

/** A plan is checked again before each step, so words of some minutes will do. */
const STALE_AFTER_MS = 180_000

/** The snapshot that plans are made from. Refused while OpenStack's word is missing or old. */
export const loadFleet = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet> => {
  const stored = await factsOfCloud(ctx, cloud)
  const now = ctx.now()
  const providers = stored?.facts.providers
  if (stored === null || providers === undefined || providers.value === null)
    throw new ServiceError(
      'precondition',
      `Placement of ${cloud.name} has not been read yet: wait for the first reading round, then plan again.`,
    )
  if (now.getTime() - Date.parse(providers.at) > STALE_AFTER_MS)
    throw new ServiceError(
      'precondition',
      `What Placement of ${cloud.name} said is from ${providers.at}, too old to plan by${providers.error === null ? '' : ` (${providers.error})`}: plan again when it answers.`,
    )
  const silentBefore = new Date(now.getTime() - ctx.silentAfterSeconds * 1000)
  const hosts = await loadHostFacts(ctx.database, { cloudId: cloud.id, silentBefore, log: ctx.log })
  return joinFleet({
    facts: stored.facts,
    hosts,
    now: now.toISOString(),
    staleAfterMs: STALE_AFTER_MS,
    currentAgentVersion: null,
    traitMemory: await loadTraitMemory(ctx.database.query, cloud.id),
    keptTraits: await loadKeptTraits(ctx.database, cloud.id),
    apiAliases: await loadToldAliases(ctx.database, cloud.id),
    quotaDriver: await loadToldDriver(ctx.database, cloud.id),
    removedHosts: await loadRemovedNames(ctx.database, cloud.id),
  })
}
