import 'server-only'
import * as z from 'zod'
import type { CloudPoint, HistoryEvent, Holding, PgpuPoint } from '@/lib/domain/history/events'
import { createFleetGroups, fleetGroupsOfHolding } from '@/lib/domain/history/groups'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { addMember, type GroupSum, groupSlot, NO_MEMBERS } from '@/lib/domain/utilization/group-usage'
import type { UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bigintColumn, idRow } from '@/lib/server/database/row'
import { loadChanges, loadStateBefore } from '@/lib/services/history/load-history'
import { storeGroupDay, usageGroupName } from './group-rows'
import { loadPages } from './page-rows'

const HOSTS_AT_ONCE = 200
const HOURS = 24

// SQL: marks of the earliest day, advisory and row locks, and the hosts of a cloud within that transaction.
const MARKS = `
SELECT id, to_char(day, 'YYYY-MM-DD') AS day FROM utilisation_mark WHERE cloud_id = $1 AND day = (
  SELECT min(day) FROM utilisation_mark WHERE cloud_id = $1)`
const markRow = z.object({ id: bigintColumn, day: z.string() })
const DROP_MARKS = 'DELETE FROM utilisation_mark WHERE id = ANY($1::bigint[])'
// Earlier releases take the same lock, so it keeps its name.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('roll up utilisation'), $1)`
// A part of the history is wholly before these figures or after them: it looks for those that were made without it.
const HOLD_HISTORY = 'SELECT 1 FROM roll_up WHERE cloud_id = $1 FOR SHARE'
const HOSTS = 'SELECT id FROM host WHERE cloud_id = $1 ORDER BY id'
const NAMES = `
SELECT id, host_id AS "hostId", address, nullif(guest, '') AS guest, vgpu <> '' AS "isVgpu"
FROM utilisation_series WHERE host_id = ANY($1::int[])`

const nameRow = z.object({
  id: z.int(),
  hostId: z.int(),
  address: z.string(),
  guest: z.string().nullable(),
  isVgpu: z.boolean(),
})
type Name = z.infer<typeof nameRow>

/** The state of the hosts at the end of each hour, from the history. */
const createStory = (state: readonly HistoryEvent[], changes: readonly HistoryEvent[]) => {
  const cards = new Map<string, PgpuPoint | null>()
  const words = new Map<string, CloudPoint | null>()
  const guests = new Map<string, Holding | null>()
  const take = (event: HistoryEvent): void => {
    if (event.kind === 'pgpu') cards.set(`${event.hostId} ${event.address}`, event.point)
    if (event.kind === 'cloud') words.set(`${event.hostId} ${event.address}`, event.point)
    // Who held it keeps the name for the rest of the hour in which it went.
    if (event.kind === 'guest' && event.point !== null)
      guests.set(`${event.hostId} ${event.uuid}`, event.point)
  }
  for (const event of state) take(event)
  const rest = changes.toSorted((a, b) => a.at - b.at)
  let index = 0
  return {
    cards,
    words,
    guests,
    moveTo: (until: number): void => {
      for (let next = rest[index]; next !== undefined && next.at < until; next = rest[++index]) take(next)
    },
  }
}

type Sums = Map<string, GroupSum[]>

const addHosts = async (
  query: Query,
  { hostIds, day, sums }: { hostIds: readonly number[]; day: number; sums: Sums },
): Promise<void> => {
  const pages = await loadPages(query, {
    step: 'hour',
    hostIds,
    kinds: ['pgpu', 'vgpu'],
    from: day,
    until: day + DAY_MS,
  })
  if (pages.length === 0) return
  const names = new Map((await query(NAMES, [pgArray(hostIds)], nameRow)).map((name) => [name.id, name]))
  const who = { hostIds, subjects: 'pgpus and guests' } as const
  const story = createStory(
    await loadStateBefore(query, { ...who, at: new Date(day) }),
    await loadChanges(query, { ...who, from: new Date(day), until: new Date(day + DAY_MS) }),
  )
  const groupsOfPgpu = createFleetGroups()
  const groupsOf = ({ hostId, address, guest, isVgpu }: Name) => {
    if (isVgpu) {
      const holding = guest === null ? null : (story.guests.get(`${hostId} ${guest}`) ?? null)
      return holding === null ? [] : fleetGroupsOfHolding(holding)
    }
    const card = story.cards.get(`${hostId} ${address}`) ?? null
    if (card === null) return [{ dimension: 'all', key: '' }]
    return groupsOfPgpu(card, story.words.get(`${hostId} ${address}`) ?? null)
  }
  const add = (name: Name, hour: number, slot: UsageSlot): void => {
    for (const group of groupsOf(name)) {
      const of = usageGroupName(group)
      const hours = sums.get(of) ?? new Array<GroupSum>(HOURS).fill(NO_MEMBERS)
      sums.set(of, hours)
      hours[hour] = addMember(hours[hour] ?? NO_MEMBERS, slot)
    }
  }
  for (let hour = 0; hour < HOURS; hour += 1) {
    story.moveTo(day + (hour + 1) * HOUR_MS)
    for (const { id, slots } of pages.flatMap(({ series }) => series)) {
      const slot = slots[hour] ?? null
      const name = names.get(id)
      if (slot !== null && name !== undefined) add(name, hour, slot)
    }
  }
}

/** The figures of the fleet and its groups on one UTC day, from what the hosts' hours and the history say now. */
const rollUpDay = async (query: Query, { cloudId, day }: { cloudId: number; day: number }): Promise<void> => {
  const hostIds = (await query(HOSTS, [cloudId], idRow)).map(({ id }) => id)
  const sums: Sums = new Map()
  for (let first = 0; first < hostIds.length; first += HOSTS_AT_ONCE)
    await addHosts(query, { hostIds: hostIds.slice(first, first + HOSTS_AT_ONCE), day, sums })
  const groups = new Map([...sums].map(([name, hours]) => [name, hours.map(groupSlot)]))
  await storeGroupDay(query, { cloudId, day, groups })
}

/**
 * Rebuilds the figures of groups for the earliest day with newly written hours of a host, in one transaction. True: there
 * is no such day.
 */
export const rollUpUsage = (database: Database, cloudId: number): Promise<boolean> =>
  database.transaction(async ({ query }) => {
    await query(LOCK, [cloudId])
    await query(HOLD_HISTORY, [cloudId])
    // Before the pages: what commits after this look has marks that stay.
    const marks = await query(MARKS, [cloudId], markRow)
    const [first] = marks
    if (first === undefined) return true
    await query(DROP_MARKS, [pgArray(marks.map(({ id }) => id))])
    await rollUpDay(query, { cloudId, day: Date.parse(`${first.day}T00:00Z`) })
    return false
  })
