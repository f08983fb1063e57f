import 'server-only'
import type * as z from 'zod'
import { type MetricFamily, writeExposition } from '@/lib/domain/metrics/write-exposition'
import { type MetricsQuery, metricsQuerySchema } from '@/lib/schemas/api/metrics'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { seenClouds } from '@/lib/services/cloud/list-clouds'
import { cardCount } from '@/lib/services/fleet/card-table'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import type { Silence } from '@/lib/services/fleet/read-silence'
import { loadLastReadings } from '@/lib/services/utilisation/arrival-rows'
import type { Encoded } from '@/lib/util/encode/encoded'
import { inSlices } from '@/lib/util/in-slices'
import { cloudFamilies, hostFamilies } from './cloud-families'
import { type CloudFleet, type MeasuredFleet, pgpuFamilies } from './fleet-families'
import { totalFamilies } from './total-families'

/** Above this number of pGPUs the series of each are returned only on request. */
const MOST_PGPUS = 10_000

type Looked = { cloud: Cloud; silence: Silence; fleet: CloudFleet }

const look = async (ctx: ServiceContext, cloud: Cloud): Promise<Looked> => {
  const view = await readFleetView(ctx, cloud)
  return { cloud, silence: view.silence, fleet: { cloud: cloud.name, view } }
}

const pgpuCount = ({ fleet: { view } }: Looked): number =>
  view.fleet.hosts.reduce((sum, host) => sum + cardCount(host), 0)

const leftOut = (looked: readonly Looked[], isLeftOut: boolean): MetricFamily => ({
  name: 'sliceboard_left_out_pgpus',
  help: `pGPUs without series of their own: there are more than ${MOST_PGPUS}, or ?detail=type was asked for.`,
  type: 'gauge',
  samples: looked.map((one) => ({
    labels: { cloud: one.cloud.name },
    value: isLeftOut ? pgpuCount(one) : 0,
  })),
})

/** For how long a delivery may be under way. */
const GRACE_SECONDS = 120

/** With the last samples. They arrive in batches, so they may be as old as two batches; older ones count as unknown. */
const measure = async (ctx: ServiceContext, { cloud, fleet }: Looked): Promise<MeasuredFleet> => {
  const since = new Date(ctx.now().getTime() - (2 * ctx.samplesEverySeconds + GRACE_SECONDS) * 1000)
  const readings = await loadLastReadings(ctx.database.history, { cloudId: cloud.id, since })
  return { ...fleet, readings }
}

type Detail = z.output<typeof metricsQuerySchema>['detail']

const writeNow = async (
  ctx: ServiceContext,
  clouds: readonly Cloud[],
  detail: Detail,
): Promise<Encoded<'prometheus'>> => {
  const looked = await Promise.all(clouds.map((cloud) => look(ctx, cloud)))
  const fleets = looked.map(({ fleet }) => fleet)
  const isLeftOut =
    detail === 'type' ||
    (detail === null && looked.reduce((sum, one) => sum + pgpuCount(one), 0) > MOST_PGPUS)
  const measured = isLeftOut ? [] : await Promise.all(looked.map((one) => measure(ctx, one)))
  const families = [
    ...hostFamilies(looked),
    ...(await cloudFamilies(ctx, clouds)),
    ...totalFamilies(fleets),
    leftOut(looked, isLeftOut),
    ...(await inSlices(pgpuFamilies(measured), ctx.signal)),
  ]
  return inSlices(writeExposition(families), ctx.signal)
}

const share = shareByKey('metrics')

/**
 * What Prometheus scrapes of the clouds that the caller sees, in its text format. Unknown numbers have no sample. Those who ask
 * the same at once share one answer.
 */
export const getMetrics = async (
  ctx: ServiceContext,
  input: MetricsQuery,
): Promise<Encoded<'prometheus'>> => {
  requirePermission(ctx, 'fleet.read')
  const { detail } = parseInput(metricsQuerySchema, input)
  const clouds = await seenClouds(ctx)
  const key = JSON.stringify([clouds.map(({ id }) => id), detail])
  return share(ctx.database, key, (signal) => writeNow({ ...ctx, signal }, clouds, detail), ctx.signal)
}
