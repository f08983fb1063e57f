import 'server-only'
import type { Overview } from '@/lib/schemas/api/fleet'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { keepByDatabase } from '@/lib/server/database/keep-by-database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareNext } from '@/lib/server/sharing/share-next'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { cardCount } from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import { type FleetView, readFleetView } from '@/lib/services/fleet/fleet-view'
import { loadTrackedGroups } from './finding-attention'
import { listAttention } from './list-attention'
import { mergeAttention } from './merge-attention'
import { sumFleet } from './sum-fleet'
import { createScale } from './weigh-attention'

type Sums = ReturnType<typeof sumFleet>

/** The sums of the last position of each fleet. */
const summed = new WeakMap<Fleet, { asOf: string; sums: Sums }>()

const sumOnce = (view: FleetView): Sums => {
  const { fleet, asOf } = view
  const known = summed.get(fleet)
  if (known?.asOf === asOf) return known.sums
  const sums = sumFleet(view)
  summed.set(fleet, { asOf, sums })
  return sums
}

type Asked = Pick<ServiceContext, 'database' | 'now' | 'silentAfterSeconds'>

const lookAt = async (ctx: Asked, cloud: Cloud): Promise<Overview> => {
  const [view, tracked] = await Promise.all([
    readFleetView(ctx, cloud),
    loadTrackedGroups(ctx.database.query, { cloudId: cloud.id, now: ctx.now() }),
  ])
  const { fleet, silence, asOf } = view
  return {
    cloud: cloud.name,
    asOf,
    hosts: fleet.hosts.length,
    pgpus: fleet.hosts.reduce((sum, host) => sum + cardCount(host), 0),
    ...sumOnce(view),
    attention: mergeAttention(listAttention({ hosts: fleet.hosts, silence }), tracked, createScale(fleet)),
  }
}

const keptLook = keepByDatabase<(asked: Asked) => Promise<Overview>>('overviews')

/** The fleet in one look: totals, by model and type, and what needs attention. Those who ask at once share one answer. */
export const getOverview = async (ctx: ServiceContext, input: CloudScope): Promise<Overview> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const look = () => shareNext((one: Asked) => lookAt(one, cloud))
  return keptLook({ database: ctx.database, key: `${cloud.id} ${cloud.name}` }, look)(ctx)
}
