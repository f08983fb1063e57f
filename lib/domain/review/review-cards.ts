import { currentReason } from '@/lib/domain/fleet/stranded-reasons'
import { addPgpu, emptyTally, type FleetTally } from '@/lib/domain/fleet/totals'
import type { CloudPoint, HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'
import type { ReviewContentV4 } from '@/lib/schemas/api/review-content'

/** A pGPU with its state at a moment, from its history. `isWatched`: its host had data then. */
export type ReviewCard = {
  hostId: number
  address: string
  point: PgpuPoint
  word: CloudPoint | null
  isWatched: boolean
}

/** The pGPUs that existed, from the last events of each (any order). `watched`: hosts with data. */
export const reviewCards = (events: readonly HistoryEvent[], watched: ReadonlySet<number>): ReviewCard[] => {
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

/** The fleet tally of pGPUs at a moment. History does not have what the driver could create. */
export const tallyReviewCards = (cards: readonly ReviewCard[]): FleetTally => {
  const tally = emptyTally()
  for (const { hostId, point, word, isWatched } of cards)
    addPgpu(tally, {
      capacity: point.capacity,
      used: point.used,
      spare: point.spare,
      orphan: point.orphan,
      returning: null,
      creatable: point.capacity,
      stranded: word?.stranded ?? null,
      isPassthrough: point.framework === 'passthrough',
      isCloudRead: false,
      silentHost: isWatched ? null : hostId,
      reasonIndex: 0,
      strandedReasonIndex: 0,
    })
  return tally
}

/** The totals at a moment; null: there was no pGPU. */
export const sumReviewCards = (cards: readonly ReviewCard[]): ReviewContentV4['end'] => {
  if (cards.length === 0) return null
  const { vgpus, passthrough } = tallyReviewCards(cards)
  const silentHosts = new Set([...vgpus.silentHosts, ...passthrough.silentHosts])
  const isStrandedKnown = cards.some(({ word }) => typeof word?.stranded === 'number')
  return {
    capacity: vgpus.capacity,
    used: vgpus.used,
    spare: vgpus.spare,
    orphan: vgpus.orphan,
    stranded: isStrandedKnown ? vgpus.stranded : null,
    passthrough: { capacity: passthrough.capacity, used: passthrough.used },
    lastKnown:
      silentHosts.size === 0
        ? null
        : {
            hosts: silentHosts.size,
            capacity: vgpus.lastKnown.capacity,
            used: vgpus.lastKnown.used,
            passthroughCapacity: passthrough.lastKnown.capacity,
          },
  }
}

export type StrandedGroup = { because: string | null; vgpus: number; hostIds: number[] }

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Stranded vGPUs by reason, the most first; `because` null: it was not stored. */
export const strandedByReason = (cards: readonly ReviewCard[]): StrandedGroup[] => {
  const groups = new Map<string | null, { vgpus: number; hosts: Set<number> }>()
  for (const card of cards) {
    const { vgpus, passthrough } = tallyReviewCards([card])
    const stranded = vgpus.stranded + passthrough.stranded
    if (stranded === 0) continue
    const stored = card.word?.because ?? null
    const because = stored === null ? null : currentReason(stored)
    const group = groups.get(because) ?? { vgpus: 0, hosts: new Set() }
    group.vgpus += stranded
    group.hosts.add(card.hostId)
    groups.set(because, group)
  }
  return [...groups]
    .map(([because, { vgpus, hosts }]) => ({ because, vgpus, hostIds: [...hosts] }))
    .toSorted((a, b) => b.vgpus - a.vgpus || byText(a.because ?? '', b.because ?? ''))
}
