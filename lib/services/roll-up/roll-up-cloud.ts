import 'server-only'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod'
import { type HistoryEvent, watchEvents } from '@/lib/domain/history/events'
import { joinRow } from '@/lib/domain/history/figures'
import {
  createFleetGroups,
  fleetGroupsOfHolding,
  isHeldDimension,
  presenceOfPgpu,
} from '@/lib/domain/history/groups'
import { type RolledGroup, rollUpInTurns } from '@/lib/domain/history/roll-up'
import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bigintColumn, idRow } from '@/lib/server/database/row'
import { loadChanges, loadStateBefore, loadWatches } from '@/lib/services/history/load-history'
import { groupName, patchPage } from '@/lib/services/history/roll-up-rows'
import { encodeEndState } from '@/lib/services/history/rolled-end'
import { markUsage } from '@/lib/services/utilization/mark-usage'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Data up to this late is usual. */
const LATE_MS = 20 * 60_000

// SQL: row locks, conditional inserts and a bulk upsert in the transaction of a part.
const HOSTS = 'SELECT id FROM host WHERE cloud_id = $1 ORDER BY id'
const BEGIN = `
INSERT INTO roll_up (cloud_id, until)
SELECT $1, first.at FROM (SELECT least(
  (SELECT min(c.at) FROM pgpu_change c JOIN host h ON h.id = c.host_id WHERE h.cloud_id = $1),
  (SELECT min(w.since) FROM host_watch w JOIN host h ON h.id = w.host_id WHERE h.cloud_id = $1)) AS at) first
WHERE first.at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM roll_up WHERE cloud_id = $1)
ON CONFLICT (cloud_id) DO NOTHING`

const LOCK = 'SELECT until, version FROM roll_up WHERE cloud_id = $1 FOR UPDATE'
const lockedRow = z.object({ until: z.date(), version: z.int() })
const MARKS = 'SELECT id, at FROM roll_up_mark WHERE cloud_id = $1'
const markRow = z.object({ id: bigintColumn, at: z.date() })
const DROP_MARKS = 'DELETE FROM roll_up_mark WHERE id = ANY($1::bigint[])'
const END =
  'UPDATE roll_up SET until = $2::timestamptz, version = $3, standing = $4::jsonb WHERE cloud_id = $1'

const LABELS = `
INSERT INTO roll_up_label (cloud_id, dimension, key, label)
SELECT $1, r.dimension, r.key, r.label FROM unnest($2::text[], $3::text[], $4::text[]) AS r (dimension, key, label)
ON CONFLICT (cloud_id, dimension, key) DO UPDATE SET label = excluded.label WHERE roll_up_label.label <> excluded.label`

const startOf = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs
const monthOf = (at: number): Date => {
  const day = new Date(at)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()))
}

/** The state before `at`, so that the next part need not query it; valid for `version` only. */
type Known = { at: number; version: number; state: Map<string, HistoryEvent> }
export type RollUpMemory = Map<number, Known>

export type RollUpTerms = {
  cloudId: number
  /** Reporting hosts have been received up to this time. */
  horizon: Date
  /** Hours are stored from this moment on, changes from that one on. */
  hoursSince: Date
  changesSince: Date
}

const subjectOf = (event: HistoryEvent): string => {
  const name = event.kind === 'guest' ? event.uuid : event.kind === 'watch' ? '' : event.address
  return `${event.kind} ${event.hostId} ${name}`
}

const advance = (
  state: Map<string, HistoryEvent>,
  changes: readonly HistoryEvent[],
  until: number,
): Map<string, HistoryEvent> => {
  for (const change of changes) {
    if (change.at >= until || change.kind === 'watch') continue
    if (change.point === null) state.delete(subjectOf(change))
    else state.set(subjectOf(change), change)
  }
  return state
}

type Part = { begin: number; end: number }

/** The next part, at most to the end of its day; null: the history is rolled up to the horizon. */
const nextPart = (
  { horizon, hoursSince, changesSince }: RollUpTerms,
  { until, marks }: { until: Date; marks: readonly { at: Date }[] },
): Part | null => {
  const from = marks.reduce((min, { at }) => Math.min(min, at.getTime()), until.getTime())
  const oldest = startOf(changesSince.getTime() + DAY_MS - 1, DAY_MS)
  const hour = startOf(Math.max(from, oldest), HOUR_MS)
  // Of a day whose hours are not stored all of them are made, for its sum.
  const begin = hour < hoursSince.getTime() ? Math.max(startOf(hour, DAY_MS), oldest) : hour
  const end = Math.min(startOf(begin, DAY_MS) + DAY_MS, horizon.getTime())
  return begin < end ? { begin, end } : null
}

const storeLabels = async (query: Query, cloudId: number, groups: readonly RolledGroup[]): Promise<void> => {
  const named = groups.filter(({ key, label }) => label !== key && label !== '')
  if (named.length === 0) return
  await query(LABELS, [
    cloudId,
    pgArray(named.map(({ dimension }) => dimension)),
    pgArray(named.map(({ key }) => key)),
    pgArray(named.map(({ label }) => label)),
  ])
}

/** Hours from the part's begin to the end of its day are the rolled ones; the day's sum follows from all its hours. */
const storePart = async (
  query: Query,
  { cloudId, begin, keepsHours }: { cloudId: number; begin: number; keepsHours: boolean },
  groups: readonly RolledGroup[],
): Promise<void> => {
  const day = startOf(begin, DAY_MS)
  const first = (begin - day) / HOUR_MS
  const rolled = new Map(groups.map((group) => [groupName(group), group.slots]))
  const hours = await patchPage(
    query,
    { cloudId, step: 'hour', begin: new Date(day) },
    {
      names: rolled.keys(),
      isRetained: keepsHours,
      patch: (slots, name) =>
        slots.map((slot, hour) => (hour < first ? slot : (rolled.get(name)?.[hour - first] ?? null))),
    },
  )
  const month = monthOf(day)
  const index = new Date(day).getUTCDate() - 1
  const fleet = hours.get(groupName({ dimension: 'all', key: '' })) ?? []
  const sumOf = (name: string) => {
    const row = hours.get(name)
    const isHeld = isHeldDimension(name.slice(0, name.indexOf(' ')))
    return row === undefined ? null : joinRow(row, { fleet, isHeld })
  }
  await patchPage(
    query,
    { cloudId, step: 'day', begin: month },
    {
      names: hours.keys(),
      isRetained: true,
      patch: (slots, name) => slots.map((slot, of) => (of === index ? sumOf(name) : slot)),
    },
  )
  await storeLabels(query, cloudId, groups)
}

/** Intervals with data come first, so that no subject is sorted twice; the state has its own order. */
const inOrder = ({
  state,
  changes,
  begin,
}: {
  state: readonly HistoryEvent[]
  changes: readonly HistoryEvent[]
  begin: number
}): HistoryEvent[] => {
  const sorted = changes.toSorted((a, b) => a.at - b.at)
  const isFirst = ({ kind, at }: HistoryEvent) => kind === 'watch' && at <= begin
  return [...sorted.filter(isFirst), ...state, ...sorted.filter((event) => !isFirst(event))]
}

/** Of a large fleet it takes long: requests get their turn between. */
const rollUpInBackground = async (input: Parameters<typeof rollUpInTurns>[0]): Promise<RolledGroup[]> => {
  const turns = rollUpInTurns(input)
  for (;;) {
    const { done, value } = turns.next()
    if (done === true) return value
    await nextTurn()
  }
}

type Done = { end: number | null; known: Known | null }

const makePart = async (
  query: Query,
  { terms, part, known }: { terms: RollUpTerms; part: Part & { version: number }; known: Known | null },
): Promise<Known> => {
  const { cloudId } = terms
  const { begin, end } = part
  const hostIds = (await query(HOSTS, [cloudId], idRow)).map(({ id }) => id)
  const [from, until] = [new Date(known?.at ?? begin), new Date(end)]
  const who = { hostIds, subjects: 'pgpus and guests' } as const
  const before = known === null ? await loadStateBefore(query, { ...who, at: from }) : []
  const state = known?.state ?? new Map(before.map((event) => [subjectOf(event), event]))
  const changes = await loadChanges(query, { ...who, from, until })
  const watches = await loadWatches(query, { hostIds, from, until })
  const groups = await rollUpInBackground({
    events: inOrder({ state: [...state.values()], changes: [...watchEvents(watches), ...changes], begin }),
    begin,
    stepMs: HOUR_MS,
    until: end,
    groupsOfPgpu: createFleetGroups(),
    groupsOfHolding: fleetGroupsOfHolding,
    presenceOfPgpu,
  })
  await storePart(query, { cloudId, begin, keepsHours: begin >= terms.hoursSince.getTime() }, groups)
  await markUsage(query, { cloudId, begin })
  const version = part.version + 1
  await query(END, [cloudId, until, version, encodeEndState(groups)])
  const retainAt = Math.max(from.getTime(), startOf(end - LATE_MS, HOUR_MS))
  return { at: retainAt, version, state: advance(state, changes, retainAt) }
}

/**
 * Rolls up the next part of a cloud's history in one transaction: from what is not rolled up yet, or from where something arrived
 * late, to the end of that day or the horizon. Marks before `doneUntil` are left for later. Returns the end of the part in ms,
 * null when there was nothing to do. A part that fails is not written at all.
 */
const rollUpPart = async (
  database: Database,
  terms: RollUpTerms,
  { memory, doneUntil }: { memory: RollUpMemory; doneUntil: number },
): Promise<number | null> => {
  const { cloudId } = terms
  const remembered = memory.get(cloudId)
  // A failed part may have half changed it.
  memory.delete(cloudId)
  const { end, known } = await database.transaction(async ({ query }): Promise<Done> => {
    await query(BEGIN, [cloudId])
    const [rolledUp] = await query(LOCK, [cloudId], lockedRow)
    if (rolledUp === undefined) return { end: null, known: null }
    // Before the history: what commits after this look has marks that stay.
    const marks = (await query(MARKS, [cloudId], markRow)).filter(({ at }) => at.getTime() >= doneUntil)
    const part = nextPart(terms, { until: rolledUp.until, marks })
    if (part === null) return { end: null, known: null }
    if (marks.length > 0) await query(DROP_MARKS, [pgArray(marks.map(({ id }) => id))])
    const isGood =
      remembered !== undefined && remembered.version === rolledUp.version && remembered.at <= part.begin
    const made = await makePart(query, {
      terms,
      part: { ...part, version: rolledUp.version },
      known: isGood ? remembered : null,
    })
    return { end: part.end, known: made }
  })
  if (known !== null) memory.set(cloudId, known)
  return end
}

/**
 * Rolls a cloud's history up to the horizon, each day at most once per call. Data that arrives in the meantime for a
 * finished day waits for the next call, so that a fleet that returns after an outage does not rebuild the same days
 * repeatedly. Stops early, after a part where `mayGoOn` returns false.
 */
export const rollUpCloud = async (
  database: Database,
  terms: RollUpTerms,
  {
    memory = new Map(),
    mayGoOn = () => Promise.resolve(true),
  }: { memory?: RollUpMemory | undefined; mayGoOn?: () => Promise<boolean> } = {},
): Promise<void> => {
  let doneUntil = Number.NEGATIVE_INFINITY
  while (doneUntil < terms.horizon.getTime() && (await mayGoOn())) {
    const end = await rollUpPart(database, terms, { memory, doneUntil })
    if (end === null) return
    doneUntil = end
  }
}
