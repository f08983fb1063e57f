import { workingMorning } from './demand'
import type { HostStory } from './host-stories'
import type { CardType, PresentCard } from './present-host'
import type { PastPoint } from './types'

const DAY_MS = 86_400_000

/** A card on its way through the year. */
export type PastCard = {
  present: PresentCard
  /** Null: it can't be sliced and is not configured for passthrough. */
  type: CardType | null
  used: number
  spare: number
  orphan: number
  /** Until when it had another type; null: it always had today's. */
  earlierUntil: number | null
  /** What then stays behind of the earlier type, and for how long; null: nothing. */
  leftover: { mdevs: number; days: number } | null
  /** vGPUs of the earlier type that stayed behind. */
  left: number
  /** When the vGPUs that are orphans today lost their last servers. */
  orphanedAt: number
  isChanged: boolean
}

/** The host's cards as they were at the begin: with their earlier type, and orphans as they were then. */
export const openCards = (
  cards: readonly PresentCard[],
  { story, begin, end }: { story: HostStory; begin: number; end: number },
): PastCard[] =>
  cards.map((present) => {
    const earlier = story.earlierTypes.find(
      ({ cards: named, untilDaysAgo }) =>
        named.includes(present.address) && end - untilDaysAgo * DAY_MS > begin,
    )
    const earlierType = present.types.find(({ typeId }) => typeId === earlier?.typeId)
    return {
      present,
      type: earlierType ?? present.type,
      used: 0,
      spare: 0,
      orphan: 0,
      earlierUntil:
        earlier === undefined || earlierType === undefined
          ? null
          : workingMorning(end - earlier.untilDaysAgo * DAY_MS),
      leftover: earlier?.leftover ?? null,
      left: 0,
      orphanedAt: end - story.orphanedDaysAgo * DAY_MS,
      isChanged: true,
    }
  })

/** vGPUs of today's orphans count as used until their servers went. */
export const setOrphans = (card: PastCard, at: number): void => {
  const orphan = card.left + (at >= card.orphanedAt ? card.present.orphan : 0)
  if (orphan === card.orphan) return
  card.orphan = orphan
  card.isChanged = true
}

/** What of a card is not taken by servers, spares or orphans. */
export const freeOf = ({ type, used, spare, orphan }: PastCard): number =>
  type === null ? 0 : Math.max(0, type.capacity - used - spare - orphan)

/** Servers that the card could still take; a spare vGPU is taken before one is made. */
export const availableOf = (card: PastCard): number => {
  // Orphans are of another type than Nova's, so nothing of it can be created next to them.
  const isLocked = card.left > 0 || (card.present.orphan > 0 && card.present.used === 0)
  return isLocked ? 0 : freeOf(card) + card.spare
}

/** A point of the card's history; `isUnreadable`: the use of its vGPUs is unknown. */
export const pointOf = (card: PastCard, at: number, { isUnreadable }: HostStory): PastPoint => {
  const { present, type } = card
  const isKnown = type !== null && !isUnreadable
  const free = freeOf(card)
  // Its VFs have their type from boot on, whether or not a server has them.
  const isTyped = present.framework === 'vendor-vfio' && isKnown
  return {
    at,
    address: present.address,
    typeId: type?.typeId ?? null,
    typeName: type?.typeName ?? null,
    model: present.model,
    framework: present.framework,
    capacity: type?.capacity ?? null,
    used: isUnreadable ? null : card.used,
    spare: isUnreadable ? null : card.spare + (isTyped ? free : 0),
    orphan: isUnreadable ? null : card.orphan,
    returning: 0,
    creatable: isKnown ? (isTyped ? 0 : free) : null,
  }
}
