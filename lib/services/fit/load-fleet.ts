import 'server-only'
import type { Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { ServiceContext } from '@/lib/server/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { silentBefore } from '@/lib/services/freshness/silence'

export type LoadedFleet = { fleet: Fleet; roundNumber: number }

/** All that hosts and OpenStack said last of a cloud; null before its first round. For services that checked the permission. */
export const loadFleet = async (ctx: ServiceContext, cloud: Cloud): Promise<LoadedFleet | null> => {
  const stored = await factsOfCloud(ctx, cloud)
  if (stored === null) return null
  const hosts = await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
  })
  const facts: FleetFacts = {
    facts: stored.facts,
    hosts,
    now: ctx.now().toISOString(),
    staleAfterMs: ctx.staleAfterMs,
    currentAgentVersion: null,
    traitMemory: [],
    keptTraits: [],
  }
  return { fleet: joinFleet(facts), roundNumber: stored.roundNumber }
}
