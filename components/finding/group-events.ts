import type { FindingDetail } from '@/lib/schemas/api/finding'

type Event = FindingDetail['events'][number]

/** An event, or how often a finding was resolved and reopened in succession. `from` is null for a single event. */
export type EventGroup = { event: Event; from: string | null; reopenedCount: number }

/** Shorter successions are listed event by event. */
const MIN_REOPENED = 2

const isPlain = ({ note, changeId }: Event): boolean => (note ?? '') === '' && changeId === null

/** The number of `closed`, `reopened` pairs that begin at the position. */
const countPairs = (events: readonly Event[], start: number): number => {
  let count = 0
  for (;;) {
    const closed = events[start + 2 * count]
    const reopened = events[start + 2 * count + 1]
    const isPair = closed?.kind === 'closed' && reopened?.kind === 'reopened'
    if (!isPair || !isPlain(closed) || !isPlain(reopened)) return count
    count += 1
  }
}

/** The events of a finding, the oldest first, with one entry for a finding that was resolved and reopened again and again. */
export const groupEvents = (events: readonly Event[]): EventGroup[] => {
  const groups: EventGroup[] = []
  for (let position = 0; position < events.length; ) {
    const reopenedCount = countPairs(events, position)
    const first = events[position]
    const last = events[position + 2 * reopenedCount - 1]
    if (first === undefined) break
    if (reopenedCount >= MIN_REOPENED && last !== undefined) {
      groups.push({ event: last, from: first.at, reopenedCount })
      position += 2 * reopenedCount
    } else {
      groups.push({ event: first, from: null, reopenedCount: 0 })
      position += 1
    }
  }
  return groups
}
