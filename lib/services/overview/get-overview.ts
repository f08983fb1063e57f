import 'server-only'
import type { Overview } from '@/lib/schemas/api/fleet'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { fleetOfCloud } from '@/lib/services/fleet/fleet-of-cloud'
import { readSilence } from '@/lib/services/freshness/read-silence'
import { listAttention } from './list-attention'
import { sumFleet } from './sum-fleet'

/** The fleet in one look: totals, by model and type, and what needs attention. */
export const getOverview = async (ctx: ServiceContext, input: CloudScope): Promise<Overview> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const [fleet, silence] = await Promise.all([fleetOfCloud(ctx, cloud), readSilence(ctx, cloud)])
  return {
    cloud: cloud.name,
    hosts: fleet.hosts.length,
    ...sumFleet(fleet, new Set(silence.silent.map(({ id }) => id))),
    attention: listAttention({ hosts: fleet.hosts, silence }),
  }
}
