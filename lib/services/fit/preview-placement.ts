import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { nearestMiss } from '@/lib/domain/fit/nearest-miss'
import { summarizeFit } from '@/lib/domain/fit/summarize-fit'
import type { PlacementPreview } from '@/lib/domain/plans/flavor/preview'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { reportFit } from './report-fit'

/**
 * Whether servers of a flavor could land, a flavor that Nova need not have yet: counted by what was read last, and Placement
 * asked now with the flavor's own query. For services that have checked the permission.
 */
export const previewPlacement = async (
  ctx: ServiceContext,
  { cloud, fleet, flavor }: { cloud: Cloud; fleet: Fleet; flavor: Flavor },
): Promise<PlacementPreview> => {
  const question = flavorQuestion(flavor)
  const { query, fits, fittingHosts, unknownHosts, placement } = await reportFit(ctx, {
    cloud,
    fleet,
    questions: [question],
    memberOf: null,
    count: null,
    page: { q: '', group: null, limit: 1, cursor: null },
  })
  const { possibleHosts } = summarizeFit(fleet, flavor)
  const nearest = fits > 0 ? null : nearestMiss(fleet, flavor)
  const { state, candidates, because } = placement
  const nearestText =
    nearest === null ? null : `${nearest.host === null ? '' : `${nearest.host}, `}${nearest.because}`
  return {
    query,
    fits,
    fittingHosts,
    unknownHosts,
    possibleHosts,
    because: nearestText,
    placement: { state, candidates, because },
  }
}
