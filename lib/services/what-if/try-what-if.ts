import 'server-only'
import type * as z from 'zod'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { fitGap } from '@/lib/domain/fit/explain-fit'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { exhaustionWith } from '@/lib/domain/forecast/exhaustion-with'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import { applySteps } from '@/lib/domain/what-if/apply-steps'
import { changedHosts, fitDifference } from '@/lib/domain/what-if/count-flavors'
import { listChoices } from '@/lib/domain/what-if/list-choices'
import { demandByAggregate, type GroupSum, sumAggregates, sumTypes } from '@/lib/domain/what-if/sum-groups'
import type { WhatIf, WhatIfType } from '@/lib/schemas/api/what-if'
import { type WhatIfInput, whatIfInputSchema } from '@/lib/schemas/api/what-if-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { loadHeldPgpus } from '@/lib/services/change/claims'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { type CountedFlavor, countFlavors, unreadFlavors } from '@/lib/services/flavor/list-flavors'
import { exhaustionDto, noneDto } from '@/lib/services/forecast/forecast-dto'
import { type GroupForecast, loadForecasts } from '@/lib/services/forecast/load-forecasts'
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

/** vGPUs more than now. Demand that goes with moved hosts counts as capacity that is taken from the start. */
const fullOf = (
  group: GroupForecast | undefined,
  more: { capacity: number; demand: number },
): WhatIfType['full'] => {
  if (group === undefined) return { before: null, after: null, none: null, peak: null }
  const { series, forecast } = group
  const difference = more.capacity - more.demand
  const before = exhaustionDto(forecast.exhaustion)
  const capacity = (forecast.capacity ?? 0) + difference
  return {
    before,
    after: difference === 0 ? before : exhaustionDto(exhaustionWith(series, forecast, capacity)),
    none: noneDto(forecast.none),
    peak: forecast.used === null ? null : Math.max(0, forecast.used + more.demand),
  }
}

type Both = { before: Fleet; after: Fleet }

const byKeyOf = (forecasts: readonly GroupForecast[]): ReadonlyMap<string, GroupForecast> =>
  new Map(forecasts.map((group) => [group.key, group]))

function* typesOf(
  { before, after }: Both,
  forecasts: readonly GroupForecast[],
): Generator<void, WhatIfType[]> {
  const byKey = byKeyOf(forecasts)
  return pairs(yield* sumTypes(before), yield* sumTypes(after)).map(({ key, label, was, is }) => ({
    key,
    label,
    cards: { before: was.cards, after: is.cards },
    capacity: { before: was.capacity, after: is.capacity },
    used: was.used,
    full: fullOf(byKey.get(key), { capacity: is.capacity - was.capacity, demand: 0 }),
  }))
}

function* aggregatesOf(
  { before, after }: Both,
  forecasts: readonly GroupForecast[],
): Generator<void, Pick<WhatIf, 'aggregates' | 'aggregateCount'>> {
  const byKey = byKeyOf(forecasts)
  const demand = yield* demandByAggregate(before, after)
  const found = pairs(yield* sumAggregates(before), yield* sumAggregates(after))
  const aggregates = found.slice(0, MAX_ROWS).map(({ key, label, was, is }) => {
    const used = { before: was.used, after: demand.get(key) ?? 0 }
    return {
      key,
      label,
      capacity: { before: was.capacity, after: is.capacity },
      used,
      full: fullOf(byKey.get(key), {
        capacity: is.capacity - was.capacity,
        demand: used.after - used.before,
      }),
    }
  })
  return { aggregates, aggregateCount: found.length }
}

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
  { before, after }: Both,
  counted: readonly CountedFlavor[],
): Generator<void, { flavors: NonNullable<WhatIf['flavors']>; flavorCount: number }> {
  yield* prepareFlavors(after)
  const differing = { gone: changedHosts(before, after), come: changedHosts(after, before) }
  yield
  const known = new Map((before.input.facts.flavors.value ?? []).map((flavor) => [flavor.id, flavor]))
  const flavors: NonNullable<WhatIf['flavors']> = []
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
  { cloud, before, after }: Both & { cloud: Cloud },
): Promise<Pick<WhatIf, 'flavors' | 'flavorCount' | 'because'>> => {
  const counted = await countFlavors(ctx, cloud, before)
  if (counted === null) return { flavors: null, flavorCount: 0, because: unreadFlavors(before) }
  return { ...(await inSlices(compareFlavors({ before, after }, counted), ctx.signal)), because: null }
}

const tryNow = async (
  ctx: ServiceContext,
  cloud: Cloud,
  steps: z.output<typeof whatIfInputSchema>['steps'],
): Promise<WhatIf> => {
  const before = await loadFleet(ctx, cloud)
  if (before === null)
    throw new ServiceError(
      'precondition',
      `OpenStack of ${cloud.name} has not been read yet: wait for the first reading round, then try again.`,
    )
  const held: HeldPgpu[] = await loadHeldPgpus(ctx.database, cloud.id)
  const { fleet: after, outcomes } = await inSlices(applySteps(before, steps, held), ctx.signal)
  const query = { cloudId: cloud.id, key: null, asOf: ctx.now().getTime() }
  const { until, groups } = await loadForecasts(ctx.database.history, { ...query, by: 'type' })
  const byAggregate = await loadForecasts(ctx.database.history, { ...query, by: 'aggregate' })
  return {
    cloud: cloud.name,
    gap: fitGap(before),
    today: until === null ? null : new Date(until).toISOString().slice(0, 10),
    outcomes: outcomes.map(({ targets, ...outcome }) => ({ ...outcome, targets: [...targets] })),
    types: await inSlices(typesOf({ before, after }, groups), ctx.signal),
    ...(await inSlices(aggregatesOf({ before, after }, byAggregate.groups), ctx.signal)),
    ...(await flavorsOf(ctx, { cloud, before, after })),
    choices: await inSlices(listChoices(before), ctx.signal),
  }
}

const share = shareByKey('what-if')

/**
 * What steps would make of the fleet: capacity, what fits and when it is full, before and after. Nothing is written. Those who ask
 * the same at once share one answer.
 */
export const tryWhatIf = async (ctx: ServiceContext, input: WhatIfInput): Promise<WhatIf> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, steps } = parseInput(whatIfInputSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const key = JSON.stringify([cloud.id, steps])
  return share(ctx.database, key, (signal) => tryNow({ ...ctx, signal }, cloud, steps), ctx.signal)
}
