import type { RollUpStep } from '@/lib/schemas/states'
import 'server-only'
import { type ComparedPeriods, comparedPeriods } from '@/lib/domain/history/compare-periods'
import { isHeldDimension, passthroughKey } from '@/lib/domain/history/groups'
import {
  chooseStep,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  seriesColumns,
  seriesEnd,
  wholeSteps,
} from '@/lib/domain/history/series'
import { type SeriesPeak, seriesPeak } from '@/lib/domain/history/series-peak'
import { emptyTable, tableOf } from '@/lib/domain/history/slot-table'
import type { Capacity, CapacityBy, CapacitySeries } from '@/lib/schemas/api/capacity'
import { type CapacityScope, capacityScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import { hostHistoryEnd } from '@/lib/services/history/history-end'
import { loadLineStory } from '@/lib/services/history/load-host-story'
import { loadRolledEnd } from '@/lib/services/history/rolled-end'
import { findHost } from '@/lib/services/stored-host/find-host'
import { loadLineage } from '@/lib/services/stored-host/host-span'
import { currentTotals } from './current-totals'
import { firstKnown, oldestHour } from './first-known'
import { loadGrowth, loadHostGrowth } from './load-growth'
import { loadLabels } from './load-labels'
import { loadKeys, loadRolledTables, type RolledRange } from './load-rolled-slots'
import { requestedRange } from './requested-range'
import { fleetSlots, rollUpHost } from './roll-up-host'

/** Points of all series of an answer together. */
const MAX_POINTS_TOGETHER = 2000
const MAX_SERIES = 20
/** Longer ranges are read by days. */
const MAX_DAYS_BY_HOURS = 100

const DAYS = [1, 2, 7, 14, 28].map((days) => days * DAY_MS)
const HOURS = [1, 2, 3, 4, 6, 12, 24].map((hours) => hours * HOUR_MS)
const MINUTES = [1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS)

type Requested = { by: CapacityBy; from: number; until: number; key: string | null; points: number }
type ReadSeries = Omit<CapacitySeries, 'current'>
type Read = {
  range: Requested
  stepMs: number
  series: ReadSeries[]
  leftOut: number
  /** The first moment of which anything is known, and until when everything is, in ms; null: there is none yet. */
  first: number | null
  watermark: number | null
  periods: ComparedPeriods | null
}

const peakOf = (
  peak: SeriesPeak | null,
  { from, unitMs }: { from: number; unitMs: number },
): ReadSeries['peak'] =>
  peak && {
    used: peak.used,
    capacity: peak.capacity,
    at: new Date(from + peak.index * unitMs).toISOString(),
  }

/** A file that has more groups than a page has the points of the page. */
const maxPoints = ({ points }: Requested, series: number): number =>
  Math.min(points, Math.floor(MAX_POINTS_TOGETHER / Math.min(Math.max(series, 1), MAX_SERIES)))

/** Hours where they are kept and few enough, else days. */
const unitOf = async (
  ctx: ServiceContext,
  cloud: Cloud,
  range: Requested,
  first: number | null,
): Promise<RollUpStep> => {
  if (range.until - range.from > MAX_DAYS_BY_HOURS * DAY_MS) return 'day'
  const hoursFrom = (await oldestHour(ctx.database.history, cloud.id)) ?? Number.POSITIVE_INFINITY
  // Before the first day there is nothing by days either.
  return range.from >= hoursFrom || (first !== null && first >= hoursFrom) ? 'hour' : 'day'
}

/** The last part of a range that is read by hours too. */
const END_HOURS = 48

/** The last hours of a range that is read by days, of each group; undefined: they are not kept. */
const loadLastHours = async (
  query: Query,
  { cloudId, until, dimension, keys }: { cloudId: number; until: number; dimension: string; keys: string[] },
) => {
  const end = wholeSteps({ from: until, until }, HOUR_MS).until
  const range: RolledRange = { cloudId, step: 'hour', from: end - END_HOURS * HOUR_MS, until: end }
  const fleets = await loadRolledTables(query, range, { dimension: 'all', keys: null })
  const groups = dimension === 'all' ? fleets : await loadRolledTables(query, range, { dimension, keys })
  const fleet = fleets.get('')
  return fleet === undefined ? undefined : { fleet, groups }
}

const readRolled = async (
  ctx: ServiceContext,
  cloud: Cloud,
  requested: Requested,
  maxSeries: number,
): Promise<Read> => {
  const { history: query } = ctx.database
  const dimension = requested.by
  const [first, labels] = await Promise.all([
    firstKnown(query, cloud.id),
    loadLabels(query, { cloudId: cloud.id, dimension }),
  ])
  const unit = await unitOf(ctx, cloud, requested, first)
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS
  const whole: RolledRange = { cloudId: cloud.id, step: unit, ...wholeSteps(requested, unitMs) }
  const all = dimension === 'all' ? [requested.key ?? ''] : await loadKeys(query, whole, dimension)
  const keys = (requested.key === null ? all : all.filter((key) => key === requested.key)).slice(0, maxSeries)
  const stepsMs = unit === 'hour' ? HOURS : DAYS
  const stepMs = chooseStep(requested, { stepsMs, maxPoints: maxPoints(requested, keys.length) })
  const range = wholeSteps(requested, stepMs)
  // Points are whole steps, but what comes after the range is in none of them.
  const read: RolledRange = { ...whole, from: range.from }
  const rolled = await loadRolledEnd(query, { cloudId: cloud.id, dimension, keys })
  const periods = comparedPeriods({
    ...requested,
    until: Math.min(requested.until, rolled?.at ?? requested.from),
  })
  const [fleets, groups, growthOf] = await Promise.all([
    loadRolledTables(query, read, { dimension: 'all', keys: null }),
    dimension === 'all' ? null : loadRolledTables(query, read, { dimension, keys }),
    loadGrowth(query, { cloudId: cloud.id, dimension, keys, periods }),
  ])
  // The known time ends within the range, so its last values are those of the range's end.
  const isWithin = rolled !== null && requested.from < rolled.at && rolled.at <= requested.until
  const current = isWithin ? rolled.endStates : null
  const fleet = fleets.get('')
  const count = Math.round((read.until - read.from) / unitMs)
  const none = emptyTable(count)
  const terms = { fleet: fleet ?? none, per: stepMs / unitMs, isHeld: isHeldDimension(dimension) }
  const last =
    unit === 'hour'
      ? undefined
      : await loadLastHours(query, { cloudId: cloud.id, until: requested.until, dimension, keys })
  const slotOf = (at: number): number => (at - range.from) / unitMs
  const [begin, end] = [
    Math.floor(slotOf(requested.from)),
    Math.min(count, Math.ceil(slotOf(requested.until))),
  ]
  const series = keys.map((key) => {
    const slots = (groups ?? fleets).get(key) ?? none
    const finer =
      last === undefined
        ? {}
        : { last: { slots: last.groups.get(key) ?? emptyTable(last.fleet.count), fleet: last.fleet } }
    return {
      key,
      label: labels.get(key) ?? key,
      ...seriesColumns(slots, terms),
      end: {
        ...seriesEnd(slots, { ...terms, begin, end, current: current?.get(key), ...finer }),
        growth: growthOf(key),
      },
      peak: peakOf(seriesPeak(slots, { ...terms, begin, end }), { from: range.from, unitMs }),
    }
  })
  const leftOut = requested.key === null ? all.length - keys.length : 0
  return { range, stepMs, series, leftOut, first, watermark: rolled?.at ?? null, periods }
}

const readHost = async (
  ctx: ServiceContext,
  {
    hostId,
    host,
    address,
    requested,
    historyEnd,
  }: { hostId: number; host: string; address: string | null; requested: Requested; historyEnd: number },
): Promise<Read> => {
  const { history: query } = ctx.database
  const isWhole = requested.by !== 'pgpu' && address === null
  const cards = isWhole ? [] : await query(CARDS, [hostId])
  const max = maxPoints(requested, address === null ? cards.length : 1)
  const stepMs = chooseStep(requested, { stepsMs: [...MINUTES, ...HOURS, ...DAYS.slice(1)], maxPoints: max })
  const range = wholeSteps(requested, stepMs)
  // What has not been received yet is no gap.
  const watermark = historyEnd
  const end = Math.min(range.until, watermark, requested.until)
  // What it continues comes first.
  const hostIds = (await loadLineage(query, hostId)).toReversed()
  const story = await loadLineStory(query, { hostIds, from: Math.min(range.from, end), until: end })
  const groups = rollUpHost(story.events, { begin: range.from, stepMs, until: end })
  const count = Math.round((range.until - range.from) / stepMs)
  const fleet = tableOf(fleetSlots(groups))
  // A host with passthrough GPUs alone is drawn in their unit.
  const whole = groups.some(({ dimension, key }) => dimension === 'all' && key === '')
    ? ''
    : passthroughKey('')
  const isWanted = ({ dimension, key }: { dimension: string; key: string }): boolean =>
    isWhole
      ? dimension === 'all' && key === whole
      : dimension === 'pgpu' && (address === null || key === address)
  const wanted = groups.filter(isWanted)
  const periods = comparedPeriods({ from: requested.from, until: end })
  const growthOf = await loadHostGrowth(query, { hostIds, periods, isWanted })
  const series = wanted
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, slots, current }) => {
      const padded = tableOf(Array.from({ length: count }, (_, index) => slots[index] ?? null))
      const name = isWhole ? host : key
      const terms = { fleet, isHeld: false }
      return {
        key: name,
        label: name,
        ...seriesColumns(padded, { ...terms, per: 1 }),
        end: { ...seriesEnd(padded, { ...terms, begin: 0, end: count, current }), growth: growthOf(key) },
        peak: peakOf(seriesPeak(padded, { ...terms, begin: 0, end: count }), {
          from: range.from,
          unitMs: stepMs,
        }),
      }
    })
  return { range, stepMs, series, leftOut: 0, first: story.firstAt, watermark, periods }
}

const CARDS = statement('SELECT 1 FROM pgpu WHERE host_id = $1')
const isoSpan = ({ from, until }: { from: number; until: number }) => ({
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
})
const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/**
 * The history of capacity and use as series of at most 1,000 points: of the fleet and its groups from the roll-ups, of one host or
 * pGPU straight from the changes.
 */
export const getCapacitySeries = async (
  ctx: ServiceContext,
  input: CapacityScope,
  { maxSeries = MAX_SERIES }: { maxSeries?: number } = {},
): Promise<Capacity> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, host, address, by, key, points, ...moments } = parseInput(capacityScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const requested: Requested = { by, key, points, ...requestedRange(ctx, moments) }
  const isOfHost = by === 'host' || by === 'pgpu' || host !== null || address !== null
  if (isOfHost && host === null)
    throw new ServiceError('validation', `by is "${by}", but needs a host: name one with host.`, {
      field: 'host',
    })
  const found = host === null ? null : await findHost(ctx, { cloud, host })
  const read =
    found === null
      ? await readRolled(ctx, cloud, requested, maxSeries)
      : await readHost(ctx, {
          hostId: found.id,
          host: found.name,
          address,
          requested,
          historyEnd: await hostHistoryEnd(ctx, found.id),
        })
  const isCurrent = moments.until === null || Date.parse(moments.until) >= ctx.now().getTime()
  const view = isCurrent ? await readFleetView(ctx, cloud) : null
  const current = view && currentTotals(view, { by, host: found?.name ?? null, address })
  return {
    cloud: cloud.name,
    asOf: view?.asOf ?? null,
    comparedPeriods: read.periods && {
      earlier: isoSpan(read.periods.earlier),
      later: isoSpan(read.periods.later),
    },
    by,
    from: new Date(read.range.from).toISOString(),
    until: new Date(read.range.until).toISOString(),
    stepSeconds: read.stepMs / 1000,
    timeZone: 'UTC',
    watermark: isoOf(read.watermark),
    firstKnownAt: isoOf(read.first),
    series: read.series.map((series) => ({ ...series, current: current?.get(series.key) ?? null })),
    leftOut: read.leftOut,
  }
}
