import { seriesKey } from '@/lib/domain/utilization/sample'
import { encodePage, PAGE_FORMS, type PageSeries } from '@/lib/domain/utilization/usage-codec'
import { joinUsage, type UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { Database, Query } from '@/lib/server/database/database'
import { type Cell, pgColumn } from '@/lib/server/database/pg-array'
import { type Kind, pageBegin, rawPage, squeeze } from '@/lib/services/utilization/page-rows'
import { type MeasuredDay, type MeasuredSeries, measurePast, usageDays } from '@/simulator/past/past-usage'
import type { Past } from '@/simulator/past/types'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { createGroupSums, type GroupDays, groupMonths } from './sum-usage'
import type { WrittenPast } from './write-past'

const DAY_MS = 86_400_000
const VGPU_HOURS_DAYS = 35
const VGPU_DAYS = 80
const ROWS_AT_ONCE = 20_000

const SERIES = `
INSERT INTO utilisation_series (host_id, id, address, vgpu, guest, first_at, last_at)
SELECT $1, a, b, c, d, e, f
FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]) AS r (a, b, c, d, e, f)`
const NEXT_SERIES = `SELECT setval(pg_get_serial_sequence('utilisation_series', 'id'), $1, false)`
const store = (table: string): string => `
INSERT INTO ${table} (host_id, kind, begin, slots)
SELECT a, b, c, decode(d, 'hex') FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::text[]) AS r (a, b, c, d)`
const GROUPS = `
INSERT INTO utilisation_roll_up (cloud_id, step, dimension, key, begin, slots)
SELECT $1, $2, a, b, c, decode(d, 'hex') FROM unnest($3::text[], $4::text[], $5::date[], $6::text[]) AS r (a, b, c, d)`

const iso = (at: number): string => new Date(at).toISOString()
const column = <Row>(rows: readonly Row[], cellOf: (row: Row) => Cell): string => pgColumn(rows.map(cellOf))

type Slots = (UsageSlot | null)[]
type Page = { hostId: number; step: 'hour' | 'day'; kind: Kind; begin: number; hex: string }
type SeriesRow = MeasuredSeries & { id: number; first: number; last: number }

const kindOf = ({ vgpu }: MeasuredSeries): Kind => (vgpu === null ? 'pgpu' : 'vgpu')

/** The pages of one host, day after day. `firstId`: of its series. */
const createPages = ({
  hostId,
  firstId,
  vgpuHoursSince,
}: {
  hostId: number
  firstId: number
  vgpuHoursSince: number
}) => {
  const rows = new Map<string, SeriesRow>()
  const pages: Page[] = []
  const months = new Map<string, { kind: Kind; begin: number; series: Map<number, Slots> }>()

  const numbered = (series: MeasuredSeries, day: number): SeriesRow => {
    const key = seriesKey(series)
    const known = rows.get(key) ?? { ...series, id: firstId + rows.size, first: day, last: day }
    rows.set(key, known)
    known.last = day
    return { ...known, hours: series.hours }
  }
  const addDay = ({ id, hours, ...series }: SeriesRow, day: number): void => {
    const [kind, begin] = [kindOf({ ...series, hours }), pageBegin('day', day)]
    const month = months.get(`${kind} ${begin}`) ?? { kind, begin, series: new Map<number, Slots>() }
    months.set(`${kind} ${begin}`, month)
    const slots = month.series.get(id) ?? new Array<null>(31).fill(null)
    month.series.set(id, slots)
    slots[new Date(day).getUTCDate() - 1] = joinUsage(hours)
  }
  const pageOf = (
    step: 'hour' | 'day',
    { kind, begin, series }: { kind: Kind; begin: number; series: PageSeries[] },
  ): Page => ({
    hostId,
    step,
    kind,
    begin,
    hex: rawPage({ step, kind, begin, series }).hex,
  })
  return {
    /** Answers with the day's series in the order of their numbers. */
    add: ({ day, series }: MeasuredDay): MeasuredDay => {
      const known = series.map((one) => numbered(one, day)).toSorted((a, b) => a.id - b.id)
      for (const one of known) addDay(one, day)
      for (const kind of ['pgpu', 'vgpu'] as const) {
        const own = known.filter((one) => kindOf(one) === kind)
        if (own.length === 0 || (kind === 'vgpu' && day < vgpuHoursSince)) continue
        pages.push(
          pageOf('hour', { kind, begin: day, series: own.map(({ id, hours }) => ({ id, slots: hours })) }),
        )
      }
      return { day, series: known }
    },
    rows: () => [...rows.values()],
    pages: () => [
      ...pages,
      ...[...months.values()].map(({ series, ...month }) =>
        pageOf('day', { ...month, series: [...series].map(([id, slots]) => ({ id, slots })) }),
      ),
    ],
  }
}

const storeSeries = (query: Query, hostId: number, rows: readonly SeriesRow[]): Promise<unknown> =>
  query(SERIES, [
    hostId,
    column(rows, ({ id }) => id),
    column(rows, ({ address }) => address),
    column(rows, ({ vgpu }) => vgpu ?? ''),
    column(rows, ({ guest }) => guest ?? ''),
    column(rows, ({ first }) => iso(first)),
    column(rows, ({ last }) => iso(last + DAY_MS)),
  ])

const TABLES = [
  ['utilisation_hour', 'hour', 'pgpu'],
  ['utilisation_vgpu_hour', 'hour', 'vgpu'],
  ['utilisation_day', 'day', 'pgpu'],
  ['utilisation_day', 'day', 'vgpu'],
] as const

const storePages = async (query: Query, pages: readonly Page[]): Promise<void> => {
  for (const [table, step, kind] of TABLES) {
    const rows = pages.filter((page) => page.step === step && page.kind === kind)
    await query(store(table), [
      column(rows, ({ hostId }) => hostId),
      column(rows, (page) => page.kind),
      column(rows, ({ begin }) => iso(begin)),
      column(rows, ({ hex }) => hex),
    ])
  }
}

const storeGroups = async (
  query: Query,
  { cloudId, step, spans }: { cloudId: number; step: 'hour' | 'day'; spans: GroupDays },
): Promise<void> => {
  const rows = [...spans].flatMap(([begin, groups]) =>
    [...groups].map(([name, slots]) => ({
      dimension: name.slice(0, name.indexOf(' ')),
      key: name.slice(name.indexOf(' ') + 1),
      date: iso(begin).slice(0, 10),
      hex: squeeze(encodePage([{ id: 0, slots }], { parts: PAGE_FORMS.groups })),
    })),
  )
  for (let index = 0; index < rows.length; index += ROWS_AT_ONCE) {
    const part = rows.slice(index, index + ROWS_AT_ONCE)
    await query(GROUPS, [
      cloudId,
      step,
      column(part, ({ dimension }) => dimension),
      column(part, ({ key }) => key),
      column(part, ({ date }) => date),
      column(part, ({ hex }) => hex),
    ])
  }
}

/**
 * Writes the utilization that the agents of a past's hosts would have sampled, as pages and figures of groups, in one
 * pass: the console's own day-by-day processing takes a hundred times as long. vGPUs only for the last weeks: by hours
 * for the default retention, by days so that the last complete month has idle ones.
 */
export const writeUsage = async (
  database: Database,
  { cloudId, hostIds }: WrittenPast,
  { past, fleet }: { past: Past; fleet: readonly FleetHost[] },
): Promise<void> => {
  const days = usageDays(past)
  const daysBefore = (count: number): number => Math.floor(past.end / DAY_MS - count) * DAY_MS
  const [vgpusSince, vgpuHoursSince] = [daysBefore(VGPU_DAYS), daysBefore(VGPU_HOURS_DAYS)]
  const sums = createGroupSums()
  await database.transaction(async ({ query }) => {
    let firstId = 1
    for (const { spec } of fleet) {
      const [host, hostId] = [past.hosts.find(({ name }) => name === spec.name), hostIds.get(spec.name)]
      if (host === undefined || hostId === undefined) continue
      const pages = createPages({ hostId, firstId, vgpuHoursSince })
      const addToGroups = sums.openHost(host)
      for (const day of measurePast(spec, { past: host, days, vgpusSince })) addToGroups(pages.add(day))
      const rows = pages.rows()
      firstId += rows.length
      await storeSeries(query, hostId, rows)
      await storePages(query, pages.pages())
    }
    await query(NEXT_SERIES, [firstId])
    const groups = sums.days()
    await storeGroups(query, { cloudId, step: 'hour', spans: groups })
    await storeGroups(query, { cloudId, step: 'day', spans: groupMonths(groups) })
  })
}
