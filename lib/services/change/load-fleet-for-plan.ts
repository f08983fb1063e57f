import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinCloud } from '@/lib/services/cloud-reading/join-cloud'
import { loadTraitMemory } from '@/lib/services/cloud-reading/trait-memory'
import { loadKeptTraits } from '@/lib/services/kept-trait/kept-trait-rows'

/** A plan is checked again before each step, so data of some minutes ago is recent enough. */
const STALE_AFTER_MS = 180_000

/** The snapshot that plans are made from. Refused while Placement's data is missing or old. */
export const loadFleetForPlan = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet> => {
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
  return joinCloud(ctx, {
    cloud,
    facts: stored.facts,
    staleAfterMs: STALE_AFTER_MS,
    traits: {
      traitMemory: await loadTraitMemory(ctx.database.query, cloud.id),
      keptTraits: await loadKeptTraits(ctx.database, cloud.id),
    },
  })
}
