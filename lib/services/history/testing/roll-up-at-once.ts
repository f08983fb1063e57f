import { type HistoryEvent, watchEvents } from '@/lib/domain/history/events'
import { joinRow, type Slot } from '@/lib/domain/history/figures'
import { createFleetGroups, fleetGroupsOfHolding, isHeldDimension } from '@/lib/domain/history/groups'
import { type RolledGroup, rollUp } from '@/lib/domain/history/roll-up'
import { decodeSlots, encodeSlots } from '@/lib/domain/history/slot-codec'
import type { Query } from '@/lib/server/database/database'
import { type Cell, pgColumn } from '@/lib/server/database/pg-array'
import type { HostPast } from '@/simulator/past/types'
import { DAYS_OF_MONTH, HOURS_OF_DAY } from '../roll-up-rows'
import { encodeEndState } from '../rolled-end'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROWS_AT_ONCE = 20_000

const STORE = `
INSERT INTO capacity_roll_up (cloud_id, step, dimension, key, begin, slots)
SELECT $1, r.step, r.dimension, r.key, r.begin, decode(r.slots, 'hex')
FROM unnest($2::text[], $3::text[], $4::text[], $5::date[], $6::text[]) AS r (step, dimension, key, begin, slots)`
const LABELS = `
INSERT INTO roll_up_label (cloud_id, dimension, key, label)
SELECT $1, r.dimension, r.key, r.label FROM unnest($2::text[], $3::text[], $4::text[]) AS r (dimension, key, label)`
const UNTIL =
  'INSERT INTO roll_up (cloud_id, until, version, standing) VALUES ($1, $2::timestamptz, 1, $3::jsonb)'
const NO_MARKS = 'DELETE FROM roll_up_mark WHERE cloud_id = $1'

type Host = { id: number; host: HostPast }

const eventsOf = ({ id: hostId, host }: Host): HistoryEvent[] => [
  ...host.words.map(({ at, address, stranded, aggregates }): HistoryEvent => {
    return { kind: 'cloud', hostId, address, at, point: { stranded, aggregates } }
  }),
  ...host.points.map(({ at, address, ...point }): HistoryEvent => {
    return { kind: 'pgpu', hostId, address, at, point }
  }),
  ...host.holdings.map(({ at, uuid, flavorName, projectId, projectName, addresses }): HistoryEvent => {
    const count = addresses.length
    const point = count === 0 ? null : { flavorName, projectId, projectName, count }
    return { kind: 'guest', hostId, uuid, at, point }
  }),
]

type Slots = (Slot | null)[]
type Row = { step: 'hour' | 'day'; dimension: string; key: string; begin: string; hex: string }

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Pages of hours, and their slots as they are read back, which days are summed of. */
const hourPages = (group: RolledGroup, begin: number): { rows: Row[]; days: Slots[] } => {
  const rows: Row[] = []
  const days: Slots[] = []
  const { dimension, key, slots } = group
  for (let index = 0; index < slots.length; index += HOURS_OF_DAY) {
    const day = Array.from({ length: HOURS_OF_DAY }, (_, hour) => slots[index + hour] ?? null)
    if (day.every((slot) => slot === null)) days.push([])
    else {
      const bytes = encodeSlots(day)
      rows.push({ step: 'hour', dimension, key, begin: dateOf(begin + index * HOUR_MS), hex: hexOf(bytes) })
      days.push(decodeSlots(bytes, HOURS_OF_DAY))
    }
  }
  return { rows, days }
}

const dayPages = (
  { dimension, key }: RolledGroup,
  { days, fleet, begin }: { days: readonly Slots[]; fleet: readonly Slots[]; begin: number },
): Row[] => {
  const months = new Map<string, Slots>()
  const isHeld = isHeldDimension(dimension)
  for (const [index, day] of days.entries()) {
    const sum = joinRow(day, { fleet: fleet[index] ?? [], isHeld })
    if (sum === null) continue
    const date = dateOf(begin + index * DAY_MS)
    const month = `${date.slice(0, 7)}-01`
    const slots = months.get(month) ?? new Array<null>(DAYS_OF_MONTH).fill(null)
    months.set(month, slots)
    slots[Number(date.slice(8)) - 1] = sum
  }
  return [...months].map(([month, slots]) => ({
    step: 'day',
    dimension,
    key,
    begin: month,
    hex: hexOf(encodeSlots(slots)),
  }))
}

/** All of it in memory: what part by part, as the console goes, takes some ten times as long. */
export const rollUpAtOnce = async (
  query: Query,
  { cloudId, until, hosts }: { cloudId: number; until: number; hosts: readonly Host[] },
): Promise<void> => {
  const watches = hosts.flatMap(({ id, host }) => host.watches.map((watch) => ({ ...watch, hostId: id })))
  const changes = hosts.flatMap(eventsOf).toSorted((a, b) => a.at - b.at)
  // Who was watched comes first at each moment, as in the parts.
  const events = [...watchEvents(watches), ...changes].toSorted((a, b) => a.at - b.at)
  const begin = Math.floor((events[0]?.at ?? until) / DAY_MS) * DAY_MS
  const groups = rollUp({
    events,
    begin,
    stepMs: HOUR_MS,
    until,
    groupsOfPgpu: createFleetGroups(),
    groupsOfHolding: fleetGroupsOfHolding,
  })
  const pages = groups.map((group) => ({ group, ...hourPages(group, begin) }))
  const fleet = pages.find(({ group }) => group.dimension === 'all')?.days ?? []
  const rows = pages.flatMap(({ group, rows: hours, days }) => [
    ...hours,
    ...dayPages(group, { days, fleet, begin }),
  ])
  const column = (cellOf: (row: Row) => Cell, part: readonly Row[]): string => pgColumn(part.map(cellOf))
  for (let index = 0; index < rows.length; index += ROWS_AT_ONCE) {
    const part = rows.slice(index, index + ROWS_AT_ONCE)
    const cells: ((row: Row) => Cell)[] = [
      ({ step }) => step,
      ({ dimension }) => dimension,
      ({ key }) => key,
      (row) => row.begin,
      ({ hex }) => hex,
    ]
    await query(STORE, [cloudId, ...cells.map((cellOf) => column(cellOf, part))])
  }
  const named = groups.filter(({ key, label }) => label !== key && label !== '')
  await query(LABELS, [
    cloudId,
    pgColumn(named.map(({ dimension }) => dimension)),
    pgColumn(named.map(({ key }) => key)),
    pgColumn(named.map(({ label }) => label)),
  ])
  await query(NO_MARKS, [cloudId])
  await query(UNTIL, [cloudId, new Date(until), encodeEndState(groups)])
}
