import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinCloud } from '@/lib/services/cloud-reading/join-cloud'

export type LoadedFleet = { fleet: Fleet; roundNumber: number }

/** All that hosts and OpenStack said last of a cloud; null before its first round. For services that checked the permission. */
export const loadFleet = async (ctx: ServiceContext, cloud: Cloud): Promise<LoadedFleet | null> => {
  const stored = await factsOfCloud(ctx, cloud)
  if (stored === null) return null
  const fleet = await joinCloud(ctx, { cloud, facts: stored.facts })
  return { fleet, roundNumber: stored.roundNumber }
}
