import 'server-only'
import type * as z from 'zod'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { fitGap } from '@/lib/domain/fit/explain-fit'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { exhaustionOverTime } from '@/lib/domain/forecast/exhaustion-over-time'
import { DAY_MS } from '@/lib/domain/history/series'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import { amountText } from '@/lib/domain/price/amount'
import { pricesOn } from '@/lib/domain/price/price-list'
import { applySteps, type DatedFleet } from '@/lib/domain/scenario/apply-steps'
import { changedHosts, fitDifference } from '@/lib/domain/scenario/count-flavors'
import { listChoices } from '@/lib/domain/scenario/list-choices'
import { demandByAggregate, type GroupSum, sumAggregates, sumTypes } from '@/lib/domain/scenario/sum-groups'
import { type MonthlyValue, sumOfValues, valueOfChange } from '@/lib/domain/scenario/value-of-change'
import { type ScenarioInput, scenarioInputSchema } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult, ScenarioType, ScenarioValue } from '@/lib/schemas/api/scenario-result'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { loadHeldPgpus } from '@/lib/services/change/claims'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { type CountedFlavor, countFlavors, unreadFlavors } from '@/lib/services/flavor/list-flavors'
import { dateOf, exhaustionDto, noneDto } from '@/lib/services/forecast/forecast-dto'
import { type GroupForecast, loadForecasts } from '@/lib/services/forecast/load-forecasts'
import { dayOf, loadPriceVersions } from '@/lib/services/price/load-price-versions'
import { inSlices } from '@/lib/util/in-slices'

const NOTHING = { cards: 0, capacity: 0, used: 0 }

/** Rows of a list that the answer has: those that change most come first. */
const MAX_ROWS = 100
const MAX_NAMED_AGGREGATES = 8

/** Groups of both sides, what changes first, then the large ones. */
const pairs = (
  before: ReadonlyMap<string, GroupSum>,
  after: ReadonlyMap<string, GroupSum>,
): { key: string; label: string; was: GroupSum; is: GroupSum }[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => {
      const label = before.get(key)?.label ?? after.get(key)?.label ?? key
      const none = { key, label, ...NOTHING }
      return { key, label, was: before.get(key) ?? none, is: after.get(key) ?? none }
    })
    .toSorted(
      (a, b) =>
        Math.abs(b.is.capacity - b.was.capacity) - Math.abs(a.is.capacity - a.was.capacity) ||
        b.was.capacity - a.was.capacity ||
        (a.label < b.label ? -1 : 1),
    )

/** vGPUs more than now, from a day on. Demand that goes with moved hosts counts as capacity that is taken. */
type Difference = { from: number; capacity: number; demand: number }

const ALWAYS = Number.NEGATIVE_INFINITY
const NO_DIFFERENCE: Difference = { from: ALWAYS, capacity: 0, demand: 0 }

const fullOf = (
  group: GroupForecast | undefined,
  differences: readonly Difference[],
): ScenarioType['full'] => {
  if (group === undefined) return { before: null, after: null, none: null, shortage: null, peak: null }
  const { series, forecast } = group
  const before = exhaustionDto(forecast.exhaustion)
  const current = forecast.capacity ?? 0
  const isChanged = differences.some(({ capacity, demand }) => capacity !== demand)
  const { exhaustion, shortage } = exhaustionOverTime(
    series,
    forecast,
    [NO_DIFFERENCE, ...differences].map(({ from, capacity, demand }) => ({
      from,
      capacity: current + capacity - demand,
    })),
  )
  const last = differences.at(-1)
  return {
    before,
    after: isChanged ? exhaustionDto(exhaustion) : before,
    none: noneDto(forecast.none),
    shortage:
      isChanged && shortage !== null ? { from: dateOf(shortage.from), until: dateOf(shortage.until) } : null,
    peak: forecast.used === null ? null : Math.max(0, forecast.used + (last?.demand ?? 0)),
  }
}

type Both = { before: Fleet; after: Fleet; stages: readonly DatedFleet[] }

const dayNumber = (day: string | null): number => (day === null ? ALWAYS : Date.parse(day) / DAY_MS)

const byKeyOf = (forecasts: readonly GroupForecast[]): ReadonlyMap<string, GroupForecast> =>
  new Map(forecasts.map((group) => [group.key, group]))

type Sums = ReadonlyMap<string, GroupSum>
const capacityIn = (sums: Sums, key: string): number => sums.get(key)?.capacity ?? 0

function* typesOf(
  { before, stages }: Both,
  forecasts: readonly GroupForecast[],
): Generator<void, ScenarioType[]> {
  const byKey = byKeyOf(forecasts)
  const first = yield* sumTypes(before)
  const later: { from: number; sums: Sums }[] = []
  for (const { day, fleet } of stages) later.push({ from: dayNumber(day), sums: yield* sumTypes(fleet) })
  return pairs(first, later.at(-1)?.sums ?? first).map(({ key, label, was, is }) => ({
    key,
    label,
    cards: { before: was.cards, after: is.cards },
    capacity: { before: was.capacity, after: is.capacity },
    used: was.used,
    full: fullOf(
      byKey.get(key),
      later.map(({ from, sums }) => ({ from, capacity: capacityIn(sums, key) - was.capacity, demand: 0 })),
    ),
  }))
}

function* aggregatesOf(
  { before, stages }: Both,
  forecasts: readonly GroupForecast[],
): Generator<void, Pick<ScenarioResult, 'aggregates' | 'aggregateCount'>> {
  const byKey = byKeyOf(forecasts)
  const first = yield* sumAggregates(before)
  const later: { from: number; sums: Sums; demand: ReadonlyMap<string, number> }[] = []
  for (const { day, fleet } of stages)
    later.push({
      from: dayNumber(day),
      sums: yield* sumAggregates(fleet),
      demand: yield* demandByAggregate(before, fleet),
    })
  const found = pairs(first, later.at(-1)?.sums ?? first)
  const aggregates = found.slice(0, MAX_ROWS).map(({ key, label, was, is }) => ({
    key,
    label,
    capacity: { before: was.capacity, after: is.capacity },
    used: { before: was.used, after: later.length === 0 ? was.used : (later.at(-1)?.demand.get(key) ?? 0) },
    full: fullOf(
      byKey.get(key),
      later.map(({ from, sums, demand }) => ({
        from,
        capacity: capacityIn(sums, key) - was.capacity,
        demand: (demand.get(key) ?? 0) - was.used,
      })),
    ),
  }))
  return { aggregates, aggregateCount: found.length }
}

const valueDto = ({ amounts, unpricedCards, because }: MonthlyValue): ScenarioValue => ({
  amounts: [...amounts].map(([currency, amount]) => ({ amount: amountText(amount), currency })),
  unpricedCards,
  because,
})

/** The aggregates in which most servers more or fewer fit, by name, and how many others there are. */
const named = (byAggregate: ReadonlyMap<string, number>) => {
  const first = [...byAggregate]
    .map(([name, more]) => ({ name, more }))
    .toSorted((a, b) => Math.abs(b.more) - Math.abs(a.more))
    .slice(0, MAX_NAMED_AGGREGATES)
  return {
    byAggregate: first.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    moreAggregates: byAggregate.size - first.length,
  }
}

/** Many hosts times hundreds of flavors take a while. */
function* compareFlavors(
  { before, after }: Pick<Both, 'before' | 'after'>,
  counted: readonly CountedFlavor[],
): Generator<void, { flavors: NonNullable<ScenarioResult['flavors']>; flavorCount: number }> {
  yield* prepareFlavors(after)
  const differing = { gone: changedHosts(before, after), come: changedHosts(after, before) }
  yield
  const known = new Map((before.input.facts.flavors.value ?? []).map((flavor) => [flavor.id, flavor]))
  const flavors: NonNullable<ScenarioResult['flavors']> = []
  for (const { id, name, fits, isDisabled } of counted) {
    const flavor = known.get(id)
    if (flavor === undefined || isDisabled) continue
    const { more, byAggregate } = fitDifference({ before, after, ...differing }, flavor)
    flavors.push({
      id,
      name,
      fits: { before: fits, after: Math.max(0, fits + more) },
      ...named(byAggregate),
    })
    yield
  }
  const change = ({ fits, byAggregate }: (typeof flavors)[number]): number =>
    Math.max(Math.abs(fits.after - fits.before), ...byAggregate.map(({ more }) => Math.abs(more)))
  return {
    flavors: flavors
      .toSorted((a, b) => change(b) - change(a) || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_ROWS),
    flavorCount: flavors.length,
  }
}

const flavorsOf = async (
  ctx: ServiceContext,
  { cloud, before, after }: Pick<Both, 'before' | 'after'> & { cloud: Cloud },
): Promise<Pick<ScenarioResult, 'flavors' | 'flavorCount' | 'because'>> => {
  const counted = await countFlavors(ctx, cloud, before)
  if (counted === null) return { flavors: null, flavorCount: 0, because: unreadFlavors(before) }
  return { ...(await inSlices(compareFlavors({ before, after }, counted), ctx.signal)), because: null }
}

const computeNow = async (
  ctx: ServiceContext,
  cloud: Cloud,
  steps: z.output<typeof scenarioInputSchema>['steps'],
): Promise<ScenarioResult> => {
  const before = await loadFleet(ctx, cloud)
  if (before === null)
    throw new ServiceError(
      'precondition',
      `OpenStack of ${cloud.name} has not been read yet: wait for the first reading round, then try again.`,
    )
  const held: HeldPgpu[] = await loadHeldPgpus(ctx.database, cloud.id)
  const { stages, results } = await inSlices(applySteps(before, steps, held), ctx.signal)
  const after = stages.at(-1)?.fleet ?? before
  const versions = await loadPriceVersions(ctx.database, cloud.id)
  const today = dayOf(ctx.now())
  const pricesFrom = (date: string | null) => pricesOn(versions, date === null || date < today ? today : date)
  const values = results.map((result, index) => valueOfChange(result, pricesFrom(steps[index]?.date ?? null)))
  const query = { cloudId: cloud.id, key: null, asOf: ctx.now().getTime() }
  const { until, groups } = await loadForecasts(ctx.database.history, { ...query, by: 'type' })
  const byAggregate = await loadForecasts(ctx.database.history, { ...query, by: 'aggregate' })
  const both = { before, after, stages }
  return {
    cloud: cloud.name,
    gap: fitGap(before),
    today: until === null ? null : new Date(until).toISOString().slice(0, 10),
    outcomes: results.map(({ outcome: { targets, ...outcome } }, index) => ({
      ...outcome,
      targets: [...targets],
      perMonth: valueDto(values[index] ?? sumOfValues([])),
    })),
    perMonth: valueDto(sumOfValues(values)),
    types: await inSlices(typesOf(both, groups), ctx.signal),
    ...(await inSlices(aggregatesOf(both, byAggregate.groups), ctx.signal)),
    ...(await flavorsOf(ctx, { cloud, before, after })),
    choices: await inSlices(listChoices(before), ctx.signal),
  }
}

const share = shareByKey('scenario')

/**
 * What steps would make of the fleet: capacity, what fits and when it is full, before and after. Nothing is written. Those who ask
 * the same at once share one answer.
 */
export const computeScenario = async (ctx: ServiceContext, input: ScenarioInput): Promise<ScenarioResult> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, steps } = parseInput(scenarioInputSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const key = JSON.stringify([cloud.id, steps])
  return share(ctx.database, key, (signal) => computeNow({ ...ctx, signal }, cloud, steps), ctx.signal)
}
