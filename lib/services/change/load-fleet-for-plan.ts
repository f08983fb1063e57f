import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { joinCloud } from '@/lib/services/cloud-reading/join-cloud'
import { loadTraitMemory } from '@/lib/services/cloud-reading/trait-memory'
import { loadKeptTraits } from '@/lib/services/kept-trait/kept-trait-rows'
import { freshFacts } from './fresh-facts'

/** A plan is checked again before each step, so data of some minutes ago is recent enough. */
const STALE_AFTER_MS = 180_000

/** The snapshot that plans are made from. Refused while Placement's data is missing or old. */
export const loadFleetForPlan = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet> => {
  const facts = await freshFacts(ctx, cloud)
  const now = ctx.now()
  if (facts === null || facts.providers.at === null || facts.providers.value === null)
    throw new ServiceError(
      'precondition',
      `Placement of ${cloud.name} has not been read yet: wait for the first reading round, then plan again.`,
    )
  const { providers } = facts
  if (now.getTime() - Date.parse(facts.providers.at) > STALE_AFTER_MS)
    throw new ServiceError(
      'precondition',
      `The data of Placement of ${cloud.name} is from ${providers.at}, too old for a plan${providers.error === null ? '' : ` (${providers.error})`}: plan again when it answers.`,
    )
  return joinCloud(ctx, {
    cloud,
    facts,
    staleAfterMs: STALE_AFTER_MS,
    traits: {
      traitMemory: await loadTraitMemory(ctx.database.query, cloud.id),
      keptTraits: await loadKeptTraits(ctx.database, cloud.id),
    },
  })
}
