import 'server-only'
import * as z from 'zod'
import { chooseStep, DAY_MS, HOUR_MS, MINUTE_MS, wholeSteps } from '@/lib/domain/history/series'
import { addMember, groupSlot, NO_MEMBERS } from '@/lib/domain/utilization/group-usage'
import { mergeSamples, seriesKey } from '@/lib/domain/utilization/sample'
import { type UsageColumns, usageColumns } from '@/lib/domain/utilization/usage-columns'
import { joinEach, joinUsage, minutesOf, type UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { loadArrivals } from './arrival-rows'
import { type Kind, loadPages, STEPS, type Step } from './page-rows'
import { listSeries, type SeriesRow } from './series-rows'

type Slots = (UsageSlot | null)[]

/** Steps of points by the spans that they are read from, the finest first; in spans. */
const PACES: readonly [Step, readonly number[]][] = [
  ['minute', [1, 2]],
  ['five', [1, 2, 3, 6]],
  ['hour', [1, 2, 3, 4, 6, 12, 24]],
  ['day', [1, 2, 7, 14, 28]],
]

export type UsageRange = { from: number; until: number }
export type HostUsage = {
  range: UsageRange
  stepMs: number
  series: (UsageColumns & { key: string; guest: string | null })[]
  first: number | null
}

// SQL: the table depends on step and kind.
const OLDEST = (table: string) =>
  `SELECT min(begin) AS begin FROM ${table} WHERE host_id = ANY($1::int[]) AND kind = $2`
const oldestRow = z.object({ begin: z.date().nullable() })

const TABLES: Record<Step, Record<Kind, string>> = {
  minute: { pgpu: 'utilisation_minute', vgpu: 'utilisation_minute' },
  five: { pgpu: 'utilisation_five', vgpu: 'utilisation_five' },
  hour: { pgpu: 'utilisation_hour', vgpu: 'utilisation_vgpu_hour' },
  day: { pgpu: 'utilisation_day', vgpu: 'utilisation_day' },
}

type Requested = {
  hostIds: readonly number[]
  kind: Kind
  range: UsageRange
  first: number | null
  maxPoints: number
  now: number
}

/** The finest spans that are kept for all of the range and give few enough points. */
const chooseSpans = async (
  query: Query,
  { hostIds, kind, range, first, maxPoints, now }: Requested,
): Promise<{ step: Step; per: number }> => {
  const from = Math.max(range.from, first ?? range.from)
  for (const [step, counts] of PACES) {
    const { unitMs } = STEPS[step]
    const stepMs = chooseStep(range, { stepsMs: counts.map((count) => count * unitMs), maxPoints })
    if (Math.ceil(range.until / stepMs) - Math.floor(range.from / stepMs) > maxPoints) continue
    const [row] = await query(OLDEST(TABLES[step][kind]), [pgArray(hostIds), kind], oldestRow)
    // What came within the last hours is in no page yet.
    const oldest = row?.begin?.getTime() ?? Number.POSITIVE_INFINITY
    const isRetained = oldest <= from || (step === 'minute' && first !== null && first > now - 2 * HOUR_MS)
    if (isRetained || step === 'day') return { step, per: stepMs / unitMs }
  }
  return { step: 'day', per: 28 }
}

/** The spans of each wanted series, pages first, and what is in none yet. */
const loadSpans = async (
  query: Query,
  {
    hostId,
    step,
    kind,
    range,
    wanted,
  }: { hostId: number; step: Step; kind: Kind; range: UsageRange; wanted: ReadonlyMap<string, SeriesRow> },
): Promise<Map<string, Slots>> => {
  const { unitMs } = STEPS[step]
  const count = Math.round((range.until - range.from) / unitMs)
  const slots = new Map([...wanted.keys()].map((key) => [key, new Array<UsageSlot | null>(count).fill(null)]))
  const keys = new Map([...wanted].map(([key, { id }]) => [id, key]))
  const pages = await loadPages(query, { step, hostIds: [hostId], kinds: [kind], ...range })
  for (const { begin, series } of pages)
    for (const one of series) {
      const own = slots.get(keys.get(one.id) ?? '')
      if (own === undefined) continue
      const offset = Math.round((begin - range.from) / unitMs)
      for (const [index, slot] of one.slots.entries())
        if (slot !== null && offset + index >= 0 && offset + index < count) own[offset + index] = slot
    }
  const fresh = mergeSamples(await loadArrivals(query, hostId, new Date(range.from)))
  const begin = Math.floor(range.from / MINUTE_MS) * MINUTE_MS
  const length = Math.round((range.until - begin) / MINUTE_MS)
  if (fresh.length === 0) return slots
  // Only the last hours can be in no page: longer ranges need no minutes for the rest.
  const since = Math.max(begin, Math.floor((fresh[0]?.at ?? begin) / unitMs) * unitMs)
  for (const one of minutesOf(fresh, { begin: since, length: length - (since - begin) / MINUTE_MS })) {
    if ((one.vgpu === null) !== (kind === 'pgpu')) continue
    const key = seriesKey(one)
    const own = slots.get(key)
    if (own === undefined) continue
    const offset = Math.round((since - range.from) / unitMs)
    for (const [index, slot] of joinEach(one.minutes, unitMs / MINUTE_MS).entries())
      if (slot !== null && offset + index < count)
        own[offset + index] = step === 'day' ? joinUsage([own[offset + index], slot]) : slot
  }
  return slots
}

/** All cards of a host as one. */
const asOne = (all: readonly Slots[]): Slots =>
  Array.from({ length: all[0]?.length ?? 0 }, (_, index) =>
    groupSlot(
      all.reduce((sum, slots) => {
        const slot = slots[index] ?? null
        return slot === null ? sum : addMember(sum, slot)
      }, NO_MEMBERS),
    ),
  )

const NO_ROW = { id: 0, firstAt: new Date(0), lastAt: new Date(0) }

/** Series that have no number yet, since none of their samples is in a page. */
const withFresh = async (query: Query, hostId: number, known: readonly SeriesRow[]): Promise<SeriesRow[]> => {
  const keys = new Set(known.map(seriesKey))
  const rows = [...known]
  for (const { at, readings } of await loadArrivals(query, hostId, new Date(0)))
    for (const { address, vgpu, guest } of readings) {
      const row = { ...NO_ROW, address, vgpu, guest, firstAt: new Date(at), lastAt: new Date(at) }
      if (keys.has(seriesKey(row))) continue
      keys.add(seriesKey(row))
      rows.push(row)
    }
  return rows
}

type Wanted = { hostId: number; rows: SeriesRow[] }

/** The spans of each series, of the first host that has them. */
const joinHosts = (hosts: readonly ReadonlyMap<string, Slots>[]): Map<string, Slots> => {
  const joined = new Map<string, Slots>()
  for (const slots of hosts)
    for (const [key, own] of slots) {
      const known = joined.get(key)
      joined.set(key, known === undefined ? own : known.map((slot, index) => slot ?? own[index] ?? null))
    }
  return joined
}

/**
 * What was measured of a host and the hosts whose history it continues (`hostIds`): of all its cards as one (`host`), or card by
 * card, or vGPU by vGPU; of one `address` alone unless it is null. From the finest figures that are kept for all of the range.
 */
export const readHostUsage = async (
  query: Query,
  {
    hostIds,
    by,
    address,
    range,
    maxPointsOf,
    now,
  }: {
    hostIds: readonly number[]
    by: 'host' | 'pgpu' | 'vgpu'
    address: string | null
    range: UsageRange
    maxPointsOf: (series: number) => number
    now: number
  },
): Promise<HostUsage> => {
  const kind: Kind = by === 'vgpu' ? 'vgpu' : 'pgpu'
  const hosts: Wanted[] = []
  let first: number | null = null
  for (const hostId of hostIds) {
    const rows = await withFresh(query, hostId, await listSeries(query, hostId))
    const own = rows.filter((row) => (row.vgpu !== null) === (by === 'vgpu'))
    for (const { firstAt } of own) first = Math.min(first ?? firstAt.getTime(), firstAt.getTime())
    const within = own.filter(
      (row) =>
        (address === null || row.address === address) &&
        row.lastAt.getTime() >= range.from - DAY_MS &&
        row.firstAt.getTime() < range.until,
    )
    hosts.push({ hostId, rows: within })
  }
  const wanted = new Map(hosts.flatMap(({ rows }) => rows.map((row) => [seriesKey(row), row])))
  const maxPoints = maxPointsOf(by === 'host' ? 1 : wanted.size)
  const { step, per } = await chooseSpans(query, { hostIds, kind, range, first, maxPoints, now })
  const stepMs = per * STEPS[step].unitMs
  const whole = wholeSteps(range, stepMs)
  const read: Map<string, Slots>[] = []
  for (const { hostId, rows } of hosts) {
    const own = new Map(rows.map((row) => [seriesKey(row), row]))
    read.push(await loadSpans(query, { hostId, step, kind, range: whole, wanted: own }))
  }
  const slots = joinHosts(read)
  const series =
    by === 'host'
      ? [{ key: '', guest: null, ...usageColumns(asOne([...slots.values()]), per) }]
      : [...slots].map(([key, one]) => ({
          key: by === 'pgpu' ? key.trim() : key,
          guest: wanted.get(key)?.guest ?? null,
          ...usageColumns(one, per),
        }))
  return { range: whole, stepMs, series, first }
}
