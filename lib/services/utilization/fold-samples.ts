import 'server-only'
import * as z from 'zod'
import { pack, unpack } from '@/lib/domain/history/pack-numbers'
import { HOUR_MS, MINUTE_MS } from '@/lib/domain/history/series'
import { mergeSamples, type Sample, type SeriesName, seriesKey } from '@/lib/domain/utilization/sample'
import { decodePage, type PageSeries } from '@/lib/domain/utilization/usage-codec'
import {
  joinEach,
  joinUsage,
  minutesOf,
  type SeriesMinutes,
  type UsageSlot,
} from '@/lib/domain/utilization/usage-slot'
import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bigintColumn, bytesColumn } from '@/lib/server/database/row'
import { decodeArrival } from './arrival-rows'
import {
  type Kind,
  loadRawPages,
  type RawPage,
  rawPage,
  STEPS,
  squeeze,
  storeRawPages,
  unsqueeze,
} from './page-rows'
import { dayOf, type Patch, patchHours } from './patch-pages'
import { listSeries, numberSeries } from './series-rows'

const { form } = STEPS.minute
/** When in its minute each sample was taken: of two the later one counts. */
const SECONDS = 'seconds'

type Range = { hostIds: readonly number[]; from: number; until: number }

const samplesOf = (
  begin: number,
  { seconds, series }: { seconds: readonly number[]; series: readonly PageSeries[] },
  names: ReadonlyMap<number, SeriesName>,
): Sample[] =>
  seconds.flatMap((second, minute): Sample[] => {
    if (second === 0) return []
    const readings = series.flatMap(({ id, slots }) => {
      const slot = slots[minute]
      const name = names.get(id)
      if (slot === null || slot === undefined || name === undefined) return []
      return [
        {
          address: name.address,
          vgpu: name.vgpu,
          guest: name.guest,
          utilization: slot.utilization?.average ?? null,
          usedMib: slot.usedMib?.average ?? null,
          totalMib: slot.totalMib,
        },
      ]
    })
    return [{ at: begin + minute * MINUTE_MS + (second - 1) * 1000, readings }]
  })

/** The samples that stand in minute pages of one host, of the hours that begin in the range. `names` by series number. */
const loadMinuteSamples = async (
  query: Query,
  { names, ...range }: Range & { names: ReadonlyMap<number, SeriesName> },
): Promise<Sample[]> => {
  const rows = await loadRawPages(query, { step: 'minute', kinds: ['pgpu', 'vgpu', SECONDS], ...range })
  const hours = new Map<number, { seconds: number[]; series: PageSeries[] }>()
  for (const { begin, kind, slots } of rows) {
    const hour = hours.get(begin.getTime()) ?? { seconds: [], series: [] }
    hours.set(begin.getTime(), hour)
    if (kind === SECONDS) hour.seconds = unpack(unsqueeze(slots))
    else hour.series.push(...decodePage(unsqueeze(slots), form))
  }
  return [...hours].flatMap(([begin, hour]) => samplesOf(begin, hour, names))
}

/** The pages of one hour. `series` by kind. */
const minutePages = (
  begin: number,
  samples: readonly Sample[],
  series: { pgpu: readonly PageSeries[]; vgpu: readonly PageSeries[] },
): RawPage[] => {
  const seconds = new Array<number>(form.length).fill(0)
  for (const { at } of samples) {
    if (at < begin || at >= begin + HOUR_MS) continue
    seconds[Math.floor((at - begin) / MINUTE_MS)] = Math.floor((at % MINUTE_MS) / 1000) + 1
  }
  return [
    { step: 'minute', kind: SECONDS, begin, hex: squeeze(pack(seconds)) },
    rawPage({ step: 'minute', kind: 'pgpu', begin, series: series.pgpu }),
    rawPage({ step: 'minute', kind: 'vgpu', begin, series: series.vgpu }),
  ]
}

const HOSTS_AT_ONCE = 100

// SQL: grouped reads, row locks and advisory locks.
const WAITING = `
SELECT host_id AS "hostId" FROM utilisation_arrival WHERE last_at < $1::timestamptz GROUP BY host_id LIMIT ${HOSTS_AT_ONCE}`
const waitingRow = z.object({ hostId: z.int() })

const ARRIVALS = `
SELECT id, samples FROM utilisation_arrival WHERE host_id = $1 AND last_at < $2::timestamptz ORDER BY id FOR UPDATE`
const arrivalRow = z.object({ id: bigintColumn, samples: bytesColumn })

const DROP = 'DELETE FROM utilisation_arrival WHERE id = ANY($1::bigint[])'
// Two consoles may do this at once; their pages must not meet. Earlier releases take the same lock, so it keeps its name.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('fold utilisation'), $1)`

const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS
const kindOf = ({ vgpu }: { vgpu: string | null }): Kind => (vgpu === null ? 'pgpu' : 'vgpu')

type Numbered = SeriesMinutes & { id: number }

const pageSeries = (
  series: readonly Numbered[],
  kind: Kind,
  slotsOf: (minutes: (UsageSlot | null)[]) => (UsageSlot | null)[],
): PageSeries[] =>
  series.filter((one) => kindOf(one) === kind).map(({ id, minutes }) => ({ id, slots: slotsOf(minutes) }))

const pagesOfHour = (begin: number, samples: readonly Sample[], series: readonly Numbered[]): RawPage[] => {
  const minutesBy = (kind: Kind) => pageSeries(series, kind, (minutes) => minutes)
  const fives = (kind: Kind): RawPage =>
    rawPage({
      step: 'five',
      kind,
      begin,
      series: pageSeries(series, kind, (minutes) => joinEach(minutes, 5)),
    })
  return [
    ...minutePages(begin, samples, { pgpu: minutesBy('pgpu'), vgpu: minutesBy('vgpu') }),
    fives('pgpu'),
    fives('vgpu'),
  ]
}

const groupByHour = (samples: readonly Sample[]): Map<number, Sample[]> => {
  const hours = new Map<number, Sample[]>()
  for (const sample of samples) {
    const hour = hourOf(sample.at)
    const held = hours.get(hour) ?? []
    held.push(sample)
    hours.set(hour, held)
  }
  return hours
}

type HourPatch = { hour: number; series: readonly Numbered[] }

const patchOf = (hours: readonly HourPatch[], kind: Kind): Patch => {
  const patch = new Map<number, Map<number, UsageSlot | null>>()
  for (const { hour, series } of hours)
    for (const one of series.filter((each) => kindOf(each) === kind)) {
      const spans = patch.get(one.id) ?? new Map<number, UsageSlot | null>()
      patch.set(one.id, spans)
      spans.set(new Date(hour).getUTCHours(), joinUsage(one.minutes))
    }
  return patch
}

/**
 * Merges samples of one host, by their hours, into its pages, inside the caller's transaction. Samples that are already
 * stored change nothing.
 */
const foldIntoPages = async (
  query: Query,
  { hostId, samples }: { hostId: number; samples: ReadonlyMap<number, readonly Sample[]> },
): Promise<void> => {
  const names = new Map((await listSeries(query, hostId)).map((row) => [row.id, row]))
  const days = new Map<number, HourPatch[]>()
  for (const [hour, fresh] of samples) {
    const range = { hostIds: [hostId], from: hour, until: hour + 1 }
    const merged = mergeSamples([...(await loadMinuteSamples(query, { ...range, names })), ...fresh])
    const series = minutesOf(merged, { begin: hour, length: 60 })
    const numbers = await numberSeries(query, { hostId, names: series, from: hour, until: hour + HOUR_MS })
    const numbered = series.map((one) => ({ ...one, id: numbers.get(seriesKey(one)) ?? 0 }))
    await storeRawPages(query, hostId, pagesOfHour(hour, merged, numbered))
    days.set(dayOf(hour), [...(days.get(dayOf(hour)) ?? []), { hour, series: numbered }])
  }
  for (const [day, hours] of days)
    await patchHours(query, {
      hostId,
      day,
      indexes: hours.map(({ hour }) => new Date(hour).getUTCHours()),
      hours: { pgpu: patchOf(hours, 'pgpu'), vgpu: patchOf(hours, 'vgpu') },
    })
}

const foldHost = (
  database: Database,
  { hostId, horizon, minutesSince }: FoldTerms & { hostId: number },
): Promise<void> =>
  database.transaction(async ({ query }) => {
    await query(LOCK, [hostId])
    const rows = await query(ARRIVALS, [hostId, horizon], arrivalRow)
    if (rows.length === 0) return
    const since = minutesSince.getTime()
    const samples = rows.flatMap((row) => decodeArrival(row.samples)).filter(({ at }) => at >= since)
    await foldIntoPages(query, { hostId, samples: groupByHour(samples) })
    await query(DROP, [pgArray(rows.map(({ id }) => id))])
  })

export type FoldTerms = {
  /** Begin of the current hour: samples of earlier hours are merged into pages. */
  horizon: Date
  /** Minutes are kept from here on; for older samples it is unknown whether they were stored before. */
  minutesSince: Date
}

/**
 * Takes samples of hours that are over into pages of minutes, five minutes, hours and days, one host in one transaction. True:
 * nothing is left to do.
 */
export const foldSamples = async (database: Database, terms: FoldTerms): Promise<boolean> => {
  const hosts = await database.query(WAITING, [terms.horizon], waitingRow)
  for (const { hostId } of hosts) await foldHost(database, { ...terms, hostId })
  return hosts.length < HOSTS_AT_ONCE
}

const HOURS = `
SELECT DISTINCT begin FROM utilisation_minute WHERE host_id = $1 AND begin >= $2::timestamptz ORDER BY begin`
const hourRow = z.object({ begin: z.date() })

/** Rebuilds a host's pages of five minutes, hours and days from its minutes, as far as they are kept. */
export const refoldHost = (
  database: Database,
  { hostId, minutesSince }: { hostId: number; minutesSince: Date },
): Promise<void> =>
  database.transaction(async ({ query }) => {
    await query(LOCK, [hostId])
    const hours = await query(HOURS, [hostId, minutesSince], hourRow)
    await foldIntoPages(query, { hostId, samples: new Map(hours.map(({ begin }) => [begin.getTime(), []])) })
  })
