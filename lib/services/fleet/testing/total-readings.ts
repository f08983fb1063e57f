import { GPU_COLUMNS } from '@/components/gpus/gpu-columns'
import { gpuCsvRows } from '@/components/gpus/gpu-csv-rows'
import { HOST_COLUMNS } from '@/components/host/host-columns'
import { columnCsv } from '@/components/table/column-csv'
import type { GpuListing } from '@/lib/domain/gpu-list/first-gpus'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { sumGpus } from '@/lib/domain/gpu-list/sum-gpus'
import type { FleetTotals, UnitTotals } from '@/lib/schemas/api/totals'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { getFirstGpus } from '@/lib/services/gpu/get-first-gpus'
import { listGpus } from '@/lib/services/gpu/list-gpus'
import { listHosts } from '@/lib/services/host/list-hosts'
import { getMetrics, positionNumber } from '@/lib/services/metrics/get-metrics'
import { getOverview } from '@/lib/services/overview/get-overview'
import { previewReview } from '@/lib/services/review/preview-review'

const PARTS = ['capacity', 'used', 'spare', 'free', 'blocked', 'unknown'] as const
type Part = (typeof PARTS)[number]
type Numbers = Partial<Record<Part | 'lastCapacity' | 'lastUsed', number>>

/** The fleet's numbers as one source has them; what it does not have is absent. */
type Reading = { position?: number; vgpus: Numbers; passthrough: Numbers }
export type Readings = Record<string, Reading>

const LISTING: GpuListing = {
  filter: { text: '', models: [], types: [], frameworks: [], aggregates: [], finding: null, holding: null },
  grouping: 'model',
  sort: { column: 'host', isDescending: false },
}

const numbersOf = (totals: FleetTotals): Numbers => ({
  ...Object.fromEntries(PARTS.map((part) => [part, totals[part] ?? 0])),
  lastCapacity: totals.lastKnown?.capacity ?? 0,
  lastUsed: totals.lastKnown?.used ?? 0,
})
const readingOf = ({ totals, passthrough }: UnitTotals, asOf?: string | null): Reading => ({
  ...(asOf == null ? {} : { position: positionNumber(asOf) }),
  vgpus: numbersOf(totals),
  passthrough: numbersOf(passthrough),
})

const addAll = (all: readonly Numbers[]): Numbers => {
  const sum: Numbers = {}
  for (const numbers of all)
    for (const [name, value] of Object.entries(numbers) as [keyof Numbers, number][])
      sum[name] = (sum[name] ?? 0) + value
  return sum
}
const addReadings = (all: readonly Reading[]): Reading => ({
  vgpus: addAll(all.map(({ vgpus }) => vgpus)),
  passthrough: addAll(all.map(({ passthrough }) => passthrough)),
})

type CsvRow = Record<string, string>
const rowsOf = (csv: string): CsvRow[] => {
  const [head = '', ...lines] = csv.split('\r\n').filter((line) => line !== '')
  const names = head.split(',')
  return lines.map((line) => {
    // A quoted field may hold commas; none of those that are summed is quoted.
    const fields = line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((field) => field.replace(/,$/, '')) ?? []
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']))
  })
}
const csvNumbers = (row: CsvRow, isSilent: boolean): Numbers => ({
  ...Object.fromEntries(PARTS.map((part) => [part, Number(row[part])])),
  lastCapacity: isSilent ? Number(row.capacity) : 0,
  lastUsed: isSilent ? Number(row.used) : 0,
})

const gpusCsvReading = (csv: string): Reading => {
  const rows = rowsOf(csv).filter(({ capacity }) => capacity !== '')
  const of = (unit: string) =>
    addAll(rows.filter((row) => row.unit === unit).map((row) => csvNumbers(row, row.host_silent === 'yes')))
  return { vgpus: of('vgpu'), passthrough: of('passthrough') }
}
const hostsCsvReading = (csv: string): Reading => {
  const rows = rowsOf(csv)
  return {
    vgpus: addAll(rows.map((row) => csvNumbers(row, row.silent === 'yes'))),
    passthrough: addAll(
      rows.map((row) => ({ capacity: Number(row.whole_cards), used: Number(row.passthrough_used) })),
    ),
  }
}

const metricsReading = (text: string, cloud: string): Reading => {
  const sumOf = (name: string): number =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && line.includes(`cloud="${cloud}"`))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
  const of = (kind: string, unit: string): Numbers => ({
    ...Object.fromEntries(PARTS.map((part) => [part, sumOf(`sliceboard_${kind}_${part}_${unit}`)])),
    lastCapacity: sumOf(`sliceboard_${kind}_last_known_capacity_${unit}`),
    lastUsed: sumOf(`sliceboard_${kind}_last_known_used_${unit}`),
  })
  return {
    position: sumOf('sliceboard_fleet_position'),
    vgpus: of('type', 'vgpus'),
    passthrough: of('passthrough', 'gpus'),
  }
}

const emptyNumbers: Numbers = {}

/** Every source of fleet totals, read one after the other. `period`: the month of the review. */
export const readTotals = async (
  ctx: ServiceContext,
  { cloud, period }: { cloud: string; period: string },
): Promise<Readings> => {
  const overview = await getOverview(ctx, { cloud })
  const freshness = await getFreshness(ctx, { cloud })
  const silentHosts = new Map(freshness.silentHosts.map(({ host, seenAt }) => [host, seenAt]))
  const store = createGpuStore(await listGpus(ctx, { cloud }))
  const first = await getFirstGpus(ctx, { cloud }, { listing: LISTING, freshness })
  const hosts = await listHosts(ctx, { cloud })
  const seriesOf = async (by: 'all' | 'type' | 'model') => {
    const { series, asOf } = await getCapacitySeries(ctx, { cloud, by })
    const current = series.flatMap((one) => (one.current === null ? [] : [readingOf(one.current)]))
    return { reading: { ...addReadings(current), ...positionOf(asOf) }, series }
  }
  const { reading: capacity, series } = await seriesOf('all')
  const end = series[0]?.end
  const { content } = await previewReview(ctx, { cloud, period, by: 'all', key: '' })
  const reviewed = content.version === 1 || content.version === 2 ? null : content.end
  return {
    overview: readingOf(overview, overview.asOf),
    'overview by model': addReadings(overview.byModel.map((model) => readingOf({ ...model, totals: model }))),
    'overview by type': {
      vgpus: addAll(typesOf(overview, 'vgpu')),
      passthrough: addAll(typesOf(overview, 'passthrough')),
    },
    'gpus page': readingOf(sumGpus(store, store.baseOrder, { silentHosts }), freshness.asOf),
    'gpus first lines': readingOf(first.sums),
    'gpus csv': gpusCsvReading(
      columnCsv(GPU_COLUMNS, gpuCsvRows(store, store.baseOrder, silentHosts), { cloud }),
    ),
    hosts: readingOf(hosts, hosts.asOf),
    'hosts csv': hostsCsvReading(columnCsv(HOST_COLUMNS, hosts.hosts, { cloud })),
    capacity,
    'capacity by type': (await seriesOf('type')).reading,
    'capacity by model': (await seriesOf('model')).reading,
    'capacity history': {
      vgpus: {
        capacity: (end?.capacity ?? 0) + (end?.unseen ?? 0),
        lastCapacity: end?.unseen ?? 0,
      },
      passthrough: emptyNumbers,
    },
    metrics: metricsReading(await getMetrics(ctx, {}), cloud),
    review: {
      vgpus: {
        capacity: reviewed?.capacity ?? 0,
        used: reviewed?.used ?? 0,
        lastCapacity: reviewed?.lastKnown?.capacity ?? 0,
        lastUsed: reviewed?.lastKnown?.used ?? 0,
      },
      passthrough: {
        capacity: reviewed?.passthrough.capacity ?? 0,
        used: reviewed?.passthrough.used ?? 0,
      },
    },
  }
}

const positionOf = (asOf: string | null): { position?: number } =>
  asOf === null ? {} : { position: positionNumber(asOf) }

type Overview = Awaited<ReturnType<typeof getOverview>>
const typesOf = ({ byModel }: Overview, unit: 'vgpu' | 'passthrough'): Numbers[] =>
  byModel.flatMap(({ byType }) => byType.filter((type) => type.unit === unit).map(numbersOf))

/** What differs from Overview, as `hosts: vgpus.used 12 instead of 14`. */
export const disagreements = (readings: Readings): string[] => {
  const truth = readings.overview
  if (truth === undefined) return ['overview is missing']
  return Object.entries(readings).flatMap(([name, reading]) => [
    ...(reading.position === undefined || reading.position === truth.position
      ? []
      : [`${name}: another position`]),
    ...(['vgpus', 'passthrough'] as const).flatMap((unit) =>
      (Object.entries(reading[unit]) as [keyof Numbers, number][]).flatMap(([part, value]) =>
        value === truth[unit][part]
          ? []
          : [`${name}: ${unit}.${part} ${value} instead of ${truth[unit][part]}`],
      ),
    ),
  ])
}
