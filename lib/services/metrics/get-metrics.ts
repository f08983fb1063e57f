import 'server-only'
import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { emptyTally, type FleetTally } from '@/lib/domain/fleet/totals'
import { type MetricFamily, type Sample, writeExposition } from '@/lib/domain/metrics/write-exposition'
import { type MetricsQuery, metricsQuerySchema } from '@/lib/schemas/api/metrics'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { seenClouds } from '@/lib/services/cloud/list-clouds'
import { cardCount, cardOffset, UNKNOWN } from '@/lib/services/fleet/card-table'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import type { Silence } from '@/lib/services/fleet/read-silence'
import { tallyCards, totalsOf } from '@/lib/services/fleet/tally-cards'
import { loadLastReadings } from '@/lib/services/utilization/arrival-rows'
import type { Encoded } from '@/lib/util/encode/encoded'
import { inSlices } from '@/lib/util/in-slices'
import { cloudFamilies, hostFamilies } from './cloud-families'
import { type CloudFleet, type MeasuredFleet, pgpuFamilies, typeLabels } from './fleet-families'

const MODEL = cardOffset('modelIndex')
const TYPE = cardOffset('typeIndex')
const FRAMEWORK = cardOffset('frameworkIndex')
const ADVERTISED = cardOffset('advertised')

const PARTS = [
  { name: 'capacity', meaning: 'total capacity' },
  { name: 'used', meaning: 'in use' },
  { name: 'spare', meaning: 'created and reusable' },
  { name: 'free', meaning: 'free and schedulable' },
  { name: 'blocked', meaning: 'blocked: orphaned, locked, stranded or waiting for cleaning' },
  { name: 'unknown', meaning: 'in an unknown state' },
] as const
const BLOCKED = [
  { name: 'orphan', meaning: 'orphaned' },
  { name: 'stranded', meaning: 'stranded' },
] as const

type Row = {
  cloud: string
  model: string
  vgpu_type: string
  vgpu_type_name: string
  totals: FleetTotals
  passthrough: FleetTotals
  advertised: number | null
}

type Group = { tally: FleetTally; advertised: number | null; indexes: [number, number, number] }

/** Hosts that one step adds up. */
const STEP_HOSTS = 200

function* rowsInSteps({ cloud, view }: CloudFleet): Generator<void, Row[]> {
  const { fleet } = view
  const { models, frameworks, types } = fleet.dictionaries
  const [typeCount, frameworkCount] = [types.size() + 1, frameworks.size()]
  const groups = new Map<number, Group>()
  const tallyOf: Parameters<typeof tallyCards>[2] = ({ host: { cards }, card }) => {
    const [model, framework] = [cards[card + MODEL] ?? 0, cards[card + FRAMEWORK] ?? 0]
    const type = cards[card + TYPE] ?? UNKNOWN
    const key = (model * typeCount + (type === UNKNOWN ? 0 : type + 1)) * frameworkCount + framework
    const group = groups.get(key) ?? {
      tally: emptyTally(),
      advertised: null,
      indexes: [model, type, framework],
    }
    groups.set(key, group)
    const advertised = cards[card + ADVERTISED] ?? UNKNOWN
    if (advertised !== UNKNOWN) group.advertised = (group.advertised ?? 0) + advertised
    return group.tally
  }
  for (let first = 0; first < fleet.hosts.length; first += STEP_HOSTS) {
    tallyCards(view, fleet.hosts.slice(first, first + STEP_HOSTS), tallyOf)
    yield
  }
  return [...groups.values()].map(({ tally, advertised, indexes: [model, typeIndex, framework] }) => {
    const { typeId, typeName } = typeLabels(fleet, { typeIndex, framework: frameworks.valueAt(framework) })
    return {
      cloud,
      model: models.valueAt(model),
      vgpu_type: typeId,
      vgpu_type_name: typeName,
      ...totalsOf(view, tally),
      advertised,
    }
  })
}

type Read<Value> = (row: Row) => Value

/** One sample per set of labels: groups that differ in nothing else are added. Null: no sample. */
const family = (
  rows: readonly Row[],
  {
    name,
    help,
    labels,
    value,
  }: { name: string; help: string; labels: Read<Sample['labels']>; value: Read<number | null> },
): MetricFamily => {
  const samples = new Map<string, Sample>()
  for (const row of rows) {
    const [of, number] = [labels(row), value(row)]
    if (number === null) continue
    const key = JSON.stringify(of)
    samples.set(key, { labels: of, value: number + (samples.get(key)?.value ?? 0) })
  }
  return { name, help, type: 'gauge', samples: [...samples.values()] }
}

const ofType: Read<Sample['labels']> = ({ cloud, model, vgpu_type, vgpu_type_name }) => ({
  cloud,
  model,
  vgpu_type,
  vgpu_type_name,
})
const ofModel: Read<Sample['labels']> = ({ cloud, model }) => ({ cloud, model })

const SUMS = 'Includes the last known numbers of hosts that do not report'

/** A number that is equal for equal positions; the position itself would be a new label value with every change. */
export const positionNumber = (asOf: string): number =>
  Number.parseInt(createHash('sha256').update(asOf).digest('hex').slice(0, 12), 16)

const vgpuFamilies = (rows: readonly Row[]): MetricFamily[] => [
  family(rows, {
    name: 'sliceboard_type_pgpus',
    help: 'pGPUs for vGPUs by model and current vGPU type (empty: none).',
    labels: ofType,
    value: ({ totals }) => totals.pgpus,
  }),
  family(rows, {
    name: 'sliceboard_type_unknown_pgpus',
    help: 'Of these pGPUs, those without a known capacity. They are in no sum.',
    labels: ofType,
    value: ({ totals }) => totals.unknownPgpus,
  }),
  ...[...PARTS, ...BLOCKED].map(({ name, meaning }) =>
    family(rows, {
      name: `sliceboard_type_${name}_vgpus`,
      help: `vGPUs ${meaning}. ${SUMS}.`,
      labels: ofType,
      value: ({ totals }) => totals[name],
    }),
  ),
  family(rows, {
    name: 'sliceboard_type_advertised_vgpus',
    help: `vGPUs that Placement reports as total. ${SUMS}.`,
    labels: ofType,
    value: ({ totals, advertised }) => (totals.pgpus === 0 ? null : advertised),
  }),
  ...PARTS.map(({ name, meaning }) =>
    family(rows, {
      name: `sliceboard_type_last_known_${name}_vgpus`,
      help: `Of the vGPUs ${meaning}, those on hosts that do not report.`,
      labels: ofType,
      value: ({ totals }) => (totals.lastKnown === null ? null : totals.lastKnown[name]),
    }),
  ),
]

const passthroughFamilies = (rows: readonly Row[]): MetricFamily[] => {
  const whole = rows.filter(({ passthrough }) => passthrough.pgpus > 0)
  return [
    ...PARTS.map(({ name, meaning }) =>
      family(whole, {
        name: `sliceboard_passthrough_${name}_gpus`,
        help: `GPUs for PCI passthrough ${meaning}. ${SUMS}.`,
        labels: ofModel,
        value: ({ passthrough }) => passthrough[name],
      }),
    ),
    ...PARTS.map(({ name, meaning }) =>
      family(whole, {
        name: `sliceboard_passthrough_last_known_${name}_gpus`,
        help: `Of the GPUs for PCI passthrough ${meaning}, those on hosts that do not report.`,
        labels: ofModel,
        value: ({ passthrough: { lastKnown } }) => (lastKnown === null ? null : lastKnown[name]),
      }),
    ),
  ]
}

/** The fleet totals by model and vGPU type. A number that is unknown for all pGPUs of a group has no sample. */
function* totalFamilies(clouds: readonly CloudFleet[]): Generator<void, MetricFamily[]> {
  const rows: Row[] = []
  for (const cloud of clouds) rows.push(...(yield* rowsInSteps(cloud)))
  const ofVgpus = vgpuFamilies(rows.filter(({ totals }) => totals.pgpus > 0))
  yield
  return [
    {
      name: 'sliceboard_fleet_position',
      help: 'Identifies the position of the totals: answers with equal positions have equal totals.',
      type: 'gauge',
      samples: clouds.map(({ cloud, view }) => ({ labels: { cloud }, value: positionNumber(view.asOf) })),
    },
    ...ofVgpus,
    ...passthroughFamilies(rows),
  ]
}

/** Above this number of pGPUs the series of each are returned only on request. */
const MAX_PGPUS = 10_000

type Looked = { cloud: Cloud; silence: Silence; fleet: CloudFleet }

const look = async (ctx: ServiceContext, cloud: Cloud): Promise<Looked> => {
  const view = await readFleetView(ctx, cloud)
  return { cloud, silence: view.silence, fleet: { cloud: cloud.name, view } }
}

const pgpuCount = ({ fleet: { view } }: Looked): number =>
  view.fleet.hosts.reduce((sum, host) => sum + cardCount(host), 0)

const leftOut = (looked: readonly Looked[], isLeftOut: boolean): MetricFamily => ({
  name: 'sliceboard_left_out_pgpus',
  help: `pGPUs without their own series, because there are more than ${MAX_PGPUS} or ?detail=type was requested.`,
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
    detail === 'type' || (detail === null && looked.reduce((sum, one) => sum + pgpuCount(one), 0) > MAX_PGPUS)
  const measured = isLeftOut ? [] : await Promise.all(looked.map((one) => measure(ctx, one)))
  const families = [
    ...hostFamilies(looked),
    ...(await cloudFamilies(ctx, clouds)),
    ...(await inSlices(totalFamilies(fleets), ctx.signal)),
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
