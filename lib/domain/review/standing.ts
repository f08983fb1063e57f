import type { CloudPoint, HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'

/** A pGPU as its history left it at a moment. `isWatched`: somebody watched its host then. */
export type StandingCard = {
  hostId: number
  address: string
  point: PgpuPoint
  word: CloudPoint | null
  isWatched: boolean
}

/** vGPUs of a part of the fleet; `stranded` null: the cloud had said nothing of any of its pGPUs. */
export type Standing = {
  capacity: number
  used: number
  spare: number
  orphan: number
  /** Last known capacity of hosts that nobody watched; in no other number. */
  unseen: number
  stranded: number | null
}

/** The pGPUs that were there, from the last events of each (any order). `watched`: hosts that somebody watched. */
export const standingCards = (
  events: readonly HistoryEvent[],
  watched: ReadonlySet<number>,
): StandingCard[] => {
  const words = new Map<string, CloudPoint | null>()
  for (const event of events)
    if (event.kind === 'cloud') words.set(`${event.hostId} ${event.address}`, event.point)
  return events.flatMap((event) => {
    if (event.kind !== 'pgpu' || event.point === null) return []
    const { hostId, address, point } = event
    const word = words.get(`${hostId} ${address}`) ?? null
    return [{ hostId, address, point, word, isWatched: watched.has(hostId) }]
  })
}

/** Null: nothing was there, or nobody watched any of it, as when the console was away. */
export const sumStanding = (cards: readonly StandingCard[]): Standing | null => {
  const watched = cards.filter(({ isWatched }) => isWatched)
  if (watched.length === 0) return null
  const sum = (name: 'capacity' | 'used' | 'spare' | 'orphan'): number =>
    watched.reduce((total, { point }) => total + (point[name] ?? 0), 0)
  const told = watched.filter(({ word }) => typeof word?.stranded === 'number')
  return {
    capacity: sum('capacity'),
    used: sum('used'),
    spare: sum('spare'),
    orphan: sum('orphan'),
    unseen: cards.reduce((total, { point, isWatched }) => total + (isWatched ? 0 : (point.capacity ?? 0)), 0),
    stranded: told.length === 0 ? null : told.reduce((total, { word }) => total + (word?.stranded ?? 0), 0),
  }
}

export type StrandedGroup = { because: string | null; vgpus: number; hostIds: number[] }

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Stranded vGPUs of watched pGPUs by reason, the most first; `because` null: it was not kept. */
export const strandedByReason = (cards: readonly StandingCard[]): StrandedGroup[] => {
  const groups = new Map<string | null, { vgpus: number; hosts: Set<number> }>()
  for (const { hostId, word, isWatched } of cards) {
    if (!isWatched || !word?.stranded) continue
    const because = word.because ?? null
    const group = groups.get(because) ?? { vgpus: 0, hosts: new Set() }
    group.vgpus += word.stranded
    group.hosts.add(hostId)
    groups.set(because, group)
  }
  return [...groups]
    .map(([because, { vgpus, hosts }]) => ({ because, vgpus, hostIds: [...hosts] }))
    .toSorted((a, b) => b.vgpus - a.vgpus || byText(a.because ?? '', b.because ?? ''))
}
