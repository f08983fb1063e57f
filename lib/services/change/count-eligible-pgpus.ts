import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { candidatesQuery } from '@/lib/domain/fit/flavor-request'
import type { FlavorMatches } from '@/lib/domain/plans/step'
import type { TraitsPlan } from '@/lib/domain/plans/traits/plan-traits'
import {
  countOffered,
  requestWithoutTraits,
  type TraitsAfter,
} from '@/lib/domain/plans/traits/preview-flavors'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { askPlacement, limitedQuery } from '@/lib/services/fit/ask-placement'

type Scope = { cloud: Cloud; fleet: Fleet }

/** Each is a call for which a person waits. */
const MAX_QUERIES = 20

const capacityOf = async (
  ctx: ServiceContext,
  { cloud, fleet }: Scope,
  { flavor, after }: { flavor: Flavor; after: TraitsAfter },
): Promise<NonNullable<FlavorMatches['freeCapacity']>> => {
  const request = requestWithoutTraits(fleet, flavor, after)
  if (request.aliases.length > 0)
    return { pgpus: null, because: 'The flavor requests PCI devices by an alias, so its query is unknown.' }
  const { state, because, offered } = await askPlacement(ctx, cloud, limitedQuery(candidatesQuery(request)))
  return state === 'answered'
    ? { pgpus: countOffered(fleet, { flavor, after, offered }), because: null }
    : { pgpus: null, because: because ?? 'Placement did not answer.' }
}

/**
 * Adds to a plan for traits the pGPUs on which flavors then have free capacity: queries Placement with each flavor's
 * own query without the traits that change, and counts those candidate pGPUs that have the traits afterwards.
 */
export const countEligiblePgpus = async (
  ctx: ServiceContext,
  scope: Scope,
  plan: TraitsPlan,
): Promise<TraitsPlan> => {
  const { flavors, traitsAfter: after } = plan
  const known = new Map((scope.fleet.input.facts.flavors.value ?? []).map((flavor) => [flavor.id, flavor]))
  const checked = flavors.map(async (matches, at): Promise<FlavorMatches> => {
    const flavor = known.get(matches.flavorId)
    return flavor === undefined || at >= MAX_QUERIES
      ? matches
      : { ...matches, freeCapacity: await capacityOf(ctx, scope, { flavor, after }) }
  })
  return { ...plan, flavors: await Promise.all(checked) }
}
