import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { countWhenEmpty } from '@/lib/domain/fit/could-land'
import {
  countHost,
  type FitQuestion,
  fitGap,
  flavorQuestion,
  hasGpus,
  unseenFits,
} from '@/lib/domain/fit/explain-fit'
import { gpuAmounts } from '@/lib/domain/fit/flavor-request'
import { hostBlockers } from '@/lib/domain/fit/host-blockers'
import { type Availability, availabilityOf } from './availability'
import { type OfferCard, offerCards } from './offer-card'
import { type Purpose, purposesOf } from './purposes'

/** A GPU flavor as a member of any project that may use it sees it: no numbers, hosts or projects. */
export type FlavorOffer = {
  id: string
  name: string
  vcpus: number
  memoryMib: number
  diskGib: number
  /** GPUs of one server. */
  gpus: number
  cards: readonly OfferCard[]
  purposes: readonly Purpose[]
  availability: Availability
  /**
   * False: one request for several servers may be refused although there is room for them one by one, because Nova tries only
   * the first candidate of each host (bug 1874664) and no host has several places behind one. Null: not known.
   */
  startsTogether: boolean | null
}

type Counts = Parameters<typeof availabilityOf>[0] & { atOnceWhenEmpty: number }

const countHosts = (fleet: Fleet, question: FitQuestion): Counts => {
  const isSeen = unseenFits(fleet, question).length === 0
  const counts = { fits: 0, whenEmpty: 0, isKnown: isSeen, atOnceWhenEmpty: 0 }
  for (const joined of fleet.hosts) {
    if (!hasGpus(joined)) continue
    const now = countHost(fleet, joined, question, hostBlockers(fleet, joined, question).length === 0)
    const empty = countWhenEmpty(fleet, joined, question.request)
    counts.fits += now.fits.value ?? now.surely.fits
    counts.isKnown &&= now.fits.value !== null
    counts.whenEmpty += empty?.fits ?? 0
    counts.atOnceWhenEmpty = Math.max(counts.atOnceWhenEmpty, empty?.atOnce ?? 0)
  }
  return counts
}

/** What a flavor gives and whether there is any, by what hosts and OpenStack said last. */
export const flavorOffer = (fleet: Fleet, flavor: Flavor): FlavorOffer => {
  const question = flavorQuestion(flavor)
  const { request } = question
  const cards = offerCards(fleet, request)
  const { atOnceWhenEmpty, ...counts } = countHosts(fleet, question)
  const byClass = [...gpuAmounts(request).values()]
  const { id, name, vcpus, memoryMib, diskGib, ephemeralGib } = flavor
  return {
    id,
    name,
    vcpus,
    memoryMib,
    diskGib: diskGib + ephemeralGib,
    gpus: [...byClass, ...request.aliases.map(({ count }) => count)].reduce((sum, one) => sum + one, 0),
    cards,
    purposes: purposesOf(cards),
    availability: fitGap(fleet) === null ? availabilityOf(counts) : 'unknown',
    startsTogether: atOnceWhenEmpty === 0 ? null : atOnceWhenEmpty > 1,
  }
}
