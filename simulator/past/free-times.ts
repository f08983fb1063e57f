import { groupBy } from '@/lib/domain/cloud/match-host'
import type { HostStory } from './host-stories'
import { freeOf, type PastCard } from './past-cards'
import { flavorOf } from './past-guests'
import { isOfVgpuClass } from './project-use'

/** What is free of a card from `at` on, with the flavor that offers it. */
export type FreeSlots = {
  at: number
  address: string
  flavorName: string | null
  free: number
  /** Whether limits on vGPUs count what the flavor gives. */
  isLimited: boolean
}

/** An interval in which nothing that a flavor offers was free on any host. */
export type FullInterval = { flavorName: string; from: number; until: number }

/**
 * Free by the hardware: stranded ones count, and all where the use is unknown, so that none is refused next to them. Whole
 * cards have no flavor here.
 */
export const freeSlotsOf = (card: PastCard, at: number, { isUnreadable }: HostStory): FreeSlots => ({
  at,
  address: card.present.address,
  flavorName: flavorOf(card, null),
  free: isUnreadable ? (card.type?.capacity ?? 0) : freeOf(card) + card.spare,
  isLimited: isOfVgpuClass(card.present),
})

type Step = { at: number; flavorName: string; cards: number; free: number }

/** How each row changes what there is of flavors: the card's earlier one loses what the new one gets. */
const stepsOf = (freeSlots: readonly FreeSlots[]): Step[] => {
  const last = new Map<string, FreeSlots>()
  const steps: Step[] = []
  for (const slots of freeSlots) {
    const { at, address } = slots
    const before = last.get(address)
    if (before !== undefined && before.flavorName !== null)
      steps.push({ at, flavorName: before.flavorName, cards: -1, free: -before.free })
    if (slots.flavorName !== null)
      steps.push({ at, flavorName: slots.flavorName, cards: 1, free: slots.free })
    last.set(address, slots)
  }
  return steps
}

/** Of one flavor, its steps in the order of time; several of a moment count together. */
const fullOf = (
  flavorName: string,
  { steps, end }: { steps: readonly Step[]; end: number },
): FullInterval[] => {
  const found: FullInterval[] = []
  let [cards, free] = [0, 0]
  for (const [index, step] of steps.entries()) {
    cards += step.cards
    free += step.free
    const until = steps[index + 1]?.at ?? end
    if (cards === 0 || free > 0 || until === step.at) continue
    const before = found.at(-1)
    if (before?.until === step.at) before.until = until
    else found.push({ flavorName, from: step.at, until })
  }
  return found
}

/** When nothing of a flavor was free anywhere: `hosts` has the rows of each host in the order of time. */
export const fullIntervals = (hosts: readonly (readonly FreeSlots[])[], end: number): FullInterval[] => {
  const steps = groupBy(hosts.flatMap(stepsOf), ({ flavorName }) => flavorName)
  return [...steps]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([flavorName, own]) => fullOf(flavorName, { steps: own.toSorted((a, b) => a.at - b.at), end }))
}
