import 'server-only'
import type { Overview } from '@/lib/schemas/api/fleet'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { keepByDatabase } from '@/lib/server/keep-by-database'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { shareNext } from '@/lib/server/share-next'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { fleetOfCloud } from '@/lib/services/fleet/fleet-of-cloud'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import { readSilence, type Silence } from '@/lib/services/freshness/read-silence'
import { loadTrackedGroups } from './finding-attention'
import { listAttention } from './list-attention'
import { mergeAttention } from './merge-attention'
import { sumFleet } from './sum-fleet'
import { createScale } from './weigh-attention'

type Summed = { silentIds: string; sums: ReturnType<typeof sumFleet> }

/** The sums of the last look at each fleet: they hold until a pGPU changes or a host falls silent or speaks again. */
const summed = new WeakMap<Fleet, Summed>()

const sumOnce = (fleet: Fleet, silence: Silence): Summed['sums'] => {
  const ids = silence.silent.map(({ id }) => id)
  const silentIds = ids.join()
  const known = summed.get(fleet)
  if (known?.silentIds === silentIds) return known.sums
  const sums = sumFleet(fleet, new Set(ids))
  summed.set(fleet, { silentIds, sums })
  return sums
}

type Asked = Pick<ServiceContext, 'database' | 'now' | 'silentAfterSeconds'>

const lookAt = async (ctx: Asked, cloud: Cloud): Promise<Overview> => {
  const [fleet, silence, tracked] = await Promise.all([
    fleetOfCloud(ctx, cloud),
    readSilence(ctx, cloud),
    loadTrackedGroups(ctx.database.query, { cloudId: cloud.id, now: ctx.now() }),
  ])
  return {
    cloud: cloud.name,
    hosts: fleet.hosts.length,
    ...sumOnce(fleet, silence),
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
