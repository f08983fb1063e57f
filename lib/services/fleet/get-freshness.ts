import 'server-only'
import type { Freshness } from '@/lib/schemas/api/fleet'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'

/** The age of the fleet's data, the silent hosts, and whether the console receives no reports. */
export const getFreshness = async (ctx: ServiceContext, input: CloudScope): Promise<Freshness> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const { silence, asOf } = await readFleetView(ctx, cloud)
  const { hostCount, newestSeenAt, silent, blindness } = silence
  return {
    cloud: cloud.name,
    now: ctx.now().toISOString(),
    asOf,
    newestSeenAt: newestSeenAt?.toISOString() ?? null,
    hostCount,
    silentAfterSeconds: ctx.silentAfterSeconds,
    silentHosts: silent.map(({ name, seenAt }) => ({ host: name, seenAt: seenAt?.toISOString() ?? null })),
    isFleetSilent: blindness.isFleetSilent,
    fleetSilentSince: blindness.isFleetSilent ? new Date(blindness.sinceMs).toISOString() : null,
  }
}
