import type { SeriesName } from '@/lib/domain/utilization/sample'
import type { Stat, UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { createVgpuHours, type HourRange, type UsageHour, usageHour } from '@/simulator/usage/usage-pattern'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './demand'
import { type MeasuredCard, measuredCards } from './measured-cards'
import type { HostPast, PastWatch } from './types'

const HOURS = 24

/** What was measured of one series on a UTC day, by hours; null: a gap. */
export type MeasuredSeries = SeriesName & { hours: (UsageSlot | null)[] }
/** A host's UTC day (`day`: its begin in ms), with the series of which anything was measured. */
export type MeasuredDay = { day: number; series: MeasuredSeries[] }

type Tenant = SeriesName & {
  guest: string
  since: number
  until: number
  totalMib: number
  rangesOf: ReturnType<typeof createVgpuHours>
}
type Card = { address: string; measured: MeasuredCard; tenants: Tenant[] }

/** Who ran with which vGPU of which card, and for how long; of today's guests only those that run. */
const cardsOf = (spec: HostSpec, past: HostPast): Card[] => {
  const measured = measuredCards(spec)
  const tenants = new Map<string, Tenant[]>([...measured.keys()].map((address) => [address, []]))
  const alive = new Map<string, Tenant[]>()
  const today = new Set(past.held.map(({ uuid }) => uuid))
  for (const { at, uuid, addresses, typeIds } of past.holdings) {
    for (const tenant of alive.get(uuid) ?? []) tenant.until = at
    const begun: Tenant[] = []
    for (const [index, address] of addresses.entries()) {
      const card = measured.get(address)
      const totalMib = card?.mibOf.get(typeIds[index] ?? '')
      if (card === undefined || totalMib === undefined) continue
      const before = begun.filter((tenant) => tenant.address === address).length
      const vgpu = today.has(uuid) ? card.namesOf.get(uuid)?.[before] : card.pastName(uuid, index)
      if (vgpu === undefined) continue
      const rangesOf = createVgpuHours({ guestUuid: uuid, totalMib, cardMib: card.totalMib })
      const time = { since: at, until: Number.POSITIVE_INFINITY }
      const tenant = { address, vgpu, guest: uuid, ...time, totalMib, rangesOf }
      begun.push(tenant)
      tenants.get(address)?.push(tenant)
    }
    alive.set(uuid, begun)
  }
  return [...measured].map(([address, card]) => ({
    address,
    measured: card,
    tenants: tenants.get(address) ?? [],
  }))
}

const stat = (count: number, { min, average, max }: HourRange): Stat => ({ count, min, average, max })

const minutesWithin = (span: PastWatch, begin: number): number =>
  Math.max(0, Math.round((Math.min(span.until, begin + HOUR_MS) - Math.max(span.since, begin)) / MINUTE_MS))

type Seen = { tenant: Tenant; count: number; ranges: ReturnType<Tenant['rangesOf']> }
type WatchedHour = { hour: UsageHour; minutes: number }

const seenOf = (tenant: Tenant, { hour, minutes }: WatchedHour): Seen | null => {
  const { begin } = hour
  const isWhole = tenant.since <= begin && tenant.until >= begin + HOUR_MS
  const count = isWhole ? minutes : Math.min(minutes, minutesWithin(tenant, begin))
  return count === 0 ? null : { tenant, count, ranges: tenant.rangesOf(hour) }
}

/** Those who run in the hours that go by; asked hour after hour. */
const createRunning = (tenants: readonly Tenant[]): ((begin: number) => readonly Tenant[]) => {
  const coming = tenants.toSorted((a, b) => a.since - b.since)
  let running: Tenant[] = []
  let index = 0
  return (begin) => {
    if (running.some(({ until }) => until <= begin)) running = running.filter(({ until }) => until > begin)
    for (let next = coming[index]; next !== undefined && next.since < begin + HOUR_MS; next = coming[++index])
      running.push(next)
    return running
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Its vGPUs go up and down each for itself, so that together they leave their average by the root of the squares. */
const cardPercent = (seen: readonly Seen[], minutes: number): HourRange => {
  let [average, below, above] = [0, 0, 0]
  for (const { ranges, count } of seen) {
    const { percent } = ranges
    const part = count / minutes
    average += percent.average * part
    below += (percent.average - (part < 1 ? 0 : percent.min)) ** 2
    above += (percent.max - percent.average * part) ** 2
  }
  const mean = Math.min(100, average)
  return {
    min: Math.max(0, Math.floor(mean - Math.sqrt(below))),
    average: tenth(mean),
    max: Math.min(100, Math.ceil(mean + Math.sqrt(above))),
  }
}

/** A running vGPU takes all of its framebuffer. */
const cardMib = (seen: readonly Seen[], { totalMib }: MeasuredCard, minutes: number): HourRange => {
  const bounded = (mib: number): number => Math.min(Math.round(mib), Math.max(0, totalMib - 512))
  let [min, average, max] = [0, 0, 0]
  for (const { tenant, count } of seen) {
    min += count < minutes ? 0 : tenant.totalMib
    average += (tenant.totalMib * count) / minutes
    max += tenant.totalMib
  }
  return { min: bounded(min), average: bounded(average), max: bounded(max) }
}

const newSeries = ({ address, vgpu, guest }: SeriesName): MeasuredSeries => ({
  address,
  vgpu,
  guest,
  hours: new Array<null>(HOURS).fill(null),
})

/** Measures a card day by day; each call continues after the previous one. */
const createMeter = (
  { address, measured, tenants }: Card,
  vgpusSince: number,
): ((hours: readonly WatchedHour[]) => MeasuredSeries[]) => {
  const runningIn = createRunning(tenants)
  const { isMig, totalMib } = measured
  return (hours) => {
    const card = newSeries({ address, vgpu: null, guest: null })
    const vgpus = new Map<Tenant, MeasuredSeries>()
    for (const { hour, minutes } of hours) {
      const running = runningIn(hour.begin)
      if (minutes === 0) continue
      const index = (hour.begin % DAY_MS) / HOUR_MS
      const seen: Seen[] = []
      for (const tenant of running) {
        const one = seenOf(tenant, { hour, minutes })
        if (one === null) continue
        seen.push(one)
        if (hour.begin < vgpusSince) continue
        const series = vgpus.get(tenant) ?? newSeries(tenant)
        vgpus.set(tenant, series)
        series.hours[index] = {
          utilization: isMig ? null : stat(one.count, one.ranges.percent),
          usedMib: stat(one.count, one.ranges.usedMib),
          totalMib: tenant.totalMib,
        }
      }
      card.hours[index] = {
        utilization: isMig ? null : stat(minutes, cardPercent(seen, minutes)),
        usedMib: stat(minutes, cardMib(seen, measured, minutes)),
        totalMib,
      }
    }
    const isSeen = card.hours.some((slot) => slot !== null)
    return isSeen ? [card, ...vgpus.values()] : []
  }
}

/** The hours of a span by UTC days, which hosts go through one after the other. */
export const usageDays = ({ begin, end }: { begin: number; end: number }): UsageHour[][] => {
  const days: UsageHour[][] = []
  let day = Number.NaN
  for (let at = Math.floor(begin / HOUR_MS) * HOUR_MS; at < end; at += HOUR_MS) {
    const of = Math.floor(at / DAY_MS)
    if (of !== day) days.push([])
    day = of
    days.at(-1)?.push(usageHour(at))
  }
  return days
}

/**
 * What the agent of a host would have sampled of utilization and framebuffer over its past, continued by the simulator's nvidia-smi;
 * nothing where the host was not watched, and of vGPUs only from `vgpusSince` (ms) on. Day by day, since a year of hours is
 * much to hold.
 */
export function* measurePast(
  spec: HostSpec,
  { past, days, vgpusSince }: { past: HostPast; days: readonly (readonly UsageHour[])[]; vgpusSince: number },
): Generator<MeasuredDay> {
  const meters = cardsOf(spec, past).map((card) => createMeter(card, vgpusSince))
  const minutesOf = ({ begin }: UsageHour): number =>
    Math.min(
      60,
      past.watches.reduce((sum, watch) => sum + minutesWithin(watch, begin), 0),
    )
  for (const hours of days) {
    const watched = hours.map((hour) => ({ hour, minutes: minutesOf(hour) }))
    const series = meters.flatMap((measure) => measure(watched))
    const day = Math.floor((hours[0]?.begin ?? 0) / DAY_MS) * DAY_MS
    if (series.length > 0) yield { day, series }
  }
}
