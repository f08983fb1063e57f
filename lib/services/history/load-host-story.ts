import 'server-only'
import * as z from 'zod'
import { type HistoryEvent, watchEvents } from '@/lib/domain/history/events'
import type { Query } from '@/lib/server/database/database'
import { bytesColumn } from '@/lib/server/database/row'
import { statement } from '@/lib/server/database/statement'
import { loadChangesInOrder } from './load-history'
import { eventsOfChanges } from './load-pgpu-events'

// SQL: one function of the database gives the story of a host in one row.
const STORY = statement(`
SELECT addresses, lengths, changes, words, watches, first_at AS "firstAt"
FROM host_story($1::int, $2::timestamptz, $3::timestamptz)`)

const storyRow = z.object({
  addresses: z.array(z.string()).nullable(),
  lengths: z.array(z.int()).nullable(),
  changes: bytesColumn.nullable(),
  words: z
    .array(
      z.object({
        address: z.string(),
        at: z.number(),
        stranded: z.int().nullable(),
        because: z.string().nullable(),
        serviceState: z.string().nullable(),
        aggregates: z.array(z.string()).nullable(),
      }),
    )
    .nullable(),
  watches: z.array(z.object({ since: z.number(), until: z.number() })).nullable(),
  firstAt: z.number().nullable(),
})

/** What is known of a host's pGPUs in a range, and from which moment (ms) on anything is; guests are left out. */
export type HostStory = { events: HistoryEvent[]; firstAt: number | null }

const byMoment = (a: { at: number }, b: { at: number }): number => a.at - b.at

/** Whether two changes of a pGPU have one moment, so that moments alone do not tell their order. */
const hasTie = (cards: readonly HistoryEvent[]): boolean => {
  const last = new Map<string, number>()
  for (const event of cards) {
    if (event.kind !== 'pgpu') continue
    if (last.get(event.address) === event.at) return true
    last.set(event.address, event.at)
  }
  return false
}

/**
 * The state of a host's pGPUs before `from` (including removed ones), and the changes at or after `from` and before
 * `until`, in order.
 */
export const loadHostStory = async (
  query: Query,
  { hostId, from, until }: { hostId: number; from: number; until: number },
): Promise<HostStory> => {
  const params = [hostId, new Date(from), new Date(until)]
  const [row] = await query(STORY, params, storyRow)
  if (row === undefined) return { events: [], firstAt: null }
  let end = 0
  const packed = (row.addresses ?? []).map((address, index) => {
    const begin = end
    end += row.lengths?.[index] ?? 0
    return { hostId, address, changes: row.changes?.subarray(begin, end) ?? new Uint8Array() }
  })
  const cards = (await eventsOfChanges(query, packed)).toSorted(byMoment)
  const words = (row.words ?? []).map(({ address, at, serviceState, ...word }): HistoryEvent => {
    return { kind: 'cloud', hostId, address, at, point: serviceState === null ? null : word }
  })
  const ordered = hasTie(cards)
    ? [
        ...cards.filter(({ at }) => at < from),
        ...(await loadChangesInOrder(query, { hostId, from: new Date(from), until: new Date(until) })),
      ]
    : cards
  const watches = (row.watches ?? []).map((watch) => ({ ...watch, hostId }))
  return {
    events: [...watchEvents(watches), ...words, ...ordered].toSorted(byMoment),
    firstAt: row.firstAt,
  }
}

/** The same of a host and the removed hosts whose history it continues, in the order of `hostIds` where moments are equal. */
export const loadLineStory = async (
  query: Query,
  { hostIds, ...range }: { hostIds: readonly number[]; from: number; until: number },
): Promise<HostStory> => {
  const stories: HostStory[] = []
  for (const hostId of hostIds) stories.push(await loadHostStory(query, { hostId, ...range }))
  const begins = stories.flatMap(({ firstAt }) => firstAt ?? [])
  return {
    events: stories.flatMap(({ events }) => events).toSorted(byMoment),
    firstAt: begins.length === 0 ? null : Math.min(...begins),
  }
}
