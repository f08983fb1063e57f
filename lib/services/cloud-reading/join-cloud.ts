import 'server-only'
import type { Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinInSteps } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { loadEnteredAliases } from '@/lib/services/cloud/entered-aliases'
import { loadEnteredDriver } from '@/lib/services/cloud/entered-driver'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { silentBefore } from '@/lib/services/fleet/silence'
import { loadRemovedNames } from '@/lib/services/stored-host/removed-host-rows'
import { inSlices } from '@/lib/util/in-slices'
import { loadHostFacts } from './load-host-facts'

type Wanted = {
  cloud: Cloud
  facts: CloudFacts
  hostIds?: readonly number[]
  staleAfterMs?: number
  traits?: Pick<FleetFacts, 'traitMemory' | 'managedTraits'>
}

/** What `joinCloud` joins. */
export const loadFleetFacts = async (
  ctx: ServiceContext,
  {
    cloud,
    facts,
    hostIds,
    staleAfterMs = ctx.staleAfterMs,
    traits = { traitMemory: [], managedTraits: [] },
  }: Wanted,
): Promise<FleetFacts> => ({
  facts,
  hosts: await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
    ...(hostIds === undefined ? {} : { hostIds }),
  }),
  now: ctx.now().toISOString(),
  staleAfterMs,
  currentAgentVersion: null,
  ...traits,
  apiAliases: await loadEnteredAliases(ctx.database, cloud.id),
  quotaDriver: await loadEnteredDriver(ctx.database, cloud.id),
  removedHosts: await loadRemovedNames(ctx.database, cloud.id),
})

/** The data of OpenStack joined with the last reports of its hosts: of all, or of `hostIds`. */
export const joinCloud = async (ctx: ServiceContext, wanted: Wanted): Promise<Fleet> =>
  inSlices(joinInSteps(await loadFleetFacts(ctx, wanted)), ctx.signal)
