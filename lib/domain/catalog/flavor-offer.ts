import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { aliasProblem } from '@/lib/domain/fit/alias-meaning'
import { countWhenEmpty } from '@/lib/domain/fit/could-land'
import { countHost, fitGap, flavorQuestion, hasGpus, unseenFits } from '@/lib/domain/fit/explain-fit'
import { type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn, requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { hostBlockers } from '@/lib/domain/fit/host-blockers'
import { servingHosts } from '@/lib/domain/fit/serving-hosts'
import { driverBranch } from '@/lib/domain/vgpu-type/vgpu-release'
import { type Availability, availabilityOf } from './availability'
import type { FleetPart } from './fleet-parts'
import { distinctCards, type OfferCard, offerCards } from './offer-card'
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
  /** Of the vGPU drivers on hosts that give it, in order; null: not known, or whole cards alone, which need none of the host. */
  driverBranches: readonly string[] | null
  availability: Availability
  /**
   * False: one request for several servers may be refused although they fit one by one, because Nova tries only the first
   * candidate of each host (bug 1874664) and no host has several pGPUs behind one candidate. Null: unknown.
   */
  startsTogether: boolean | null
}

/** What the hosts of one part give of a flavor. */
export type PartOffer = {
  cards: readonly OfferCard[]
  counts: Parameters<typeof availabilityOf>[0]
  atOnceWhenEmpty: number
  /** Null in it: of one host it is not known. */
  driverBranches: ReadonlySet<string | null>
}

const branchOf = ({ host }: JoinedHost): string | null =>
  driverBranch(host.inventory.host.nvidiaDriverVersion ?? '')

/** The hosts that may serve a request, in use or empty. */
const servingIn = (fleet: Fleet, { hosts }: FleetPart, request: FlavorRequest): readonly JoinedHost[] => {
  if (request.aliases.length > 0) return hosts
  const serving = new Set(servingHosts(fleet, request, { isEmptied: true }))
  return hosts.filter((joined) => serving.has(joined))
}

/** Of the hosts that the same projects can land on; counted once for all of these. */
export const offerOfPart = (fleet: Fleet, part: FleetPart, flavor: Flavor): PartOffer => {
  const question = flavorQuestion(flavor)
  const { request } = question
  const isSeen = unseenFits({ ...fleet, unseen: part.unseen }, question).length === 0
  const counts = { fits: 0, whenEmpty: 0, isKnown: isSeen }
  let atOnceWhenEmpty = 0
  const driverBranches = new Set<string | null>()
  for (const joined of servingIn(fleet, part, request)) {
    if (!hasGpus(joined)) continue
    const now = countHost(fleet, joined, question, () => hostBlockers(fleet, joined, question).length === 0)
    const empty = countWhenEmpty(fleet, joined, request)
    counts.fits += now.fits.value ?? now.surely.fits
    counts.isKnown &&= now.fits.value !== null
    counts.whenEmpty += empty?.fits ?? 0
    atOnceWhenEmpty = Math.max(atOnceWhenEmpty, empty?.atOnce ?? 0)
    if (empty !== null && empty.fits > 0) driverBranches.add(branchOf(joined))
  }
  const cards = offerCards(fleet, { hosts: part.hosts, request })
  return { cards, counts, atOnceWhenEmpty, driverBranches }
}

const add = (parts: readonly PartOffer[]): PartOffer => ({
  cards: distinctCards(parts.flatMap(({ cards }) => cards)),
  counts: {
    fits: parts.reduce((sum, { counts }) => sum + counts.fits, 0),
    whenEmpty: parts.reduce((sum, { counts }) => sum + counts.whenEmpty, 0),
    isKnown: parts.every(({ counts }) => counts.isKnown),
  },
  atOnceWhenEmpty: Math.max(0, ...parts.map((part) => part.atOnceWhenEmpty)),
  driverBranches: new Set(parts.flatMap((part) => [...part.driverBranches])),
})

/** Cards of other makers have no series; a whole card takes any driver. */
const branchesOf = ({ cards, driverBranches }: PartOffer): string[] | null => {
  const isOfVgpus = cards.length > 0 && cards.every(({ series }) => series !== null)
  const known = [...driverBranches].filter((branch) => branch !== null)
  return isOfVgpus && known.length > 0 && known.length === driverBranches.size ? known.toSorted() : null
}

/** Whether hosts have nothing of the kind, in use or not, as far as is known. */
const isBare = ({ cards, counts }: PartOffer): boolean => cards.length === 0 && counts.whenEmpty === 0

/**
 * Whether the free capacity can be computed now. It depends on the aggregates, because they reserve hosts for projects.
 */
export const isOfferTold = (fleet: Fleet): boolean =>
  fitGap(fleet) === null && fleet.input.facts.aggregates.value !== null

/**
 * What a flavor gives and whether any is free, by the last reports of hosts and OpenStack. `own`: parts with hosts that
 * the project can use. Null: not for this project, because only hosts reserved for others have such a GPU, or because
 * Nova's API does not know the alias and refuses every server.
 */
export const flavorOffer = (
  fleet: Fleet,
  flavor: Flavor,
  { own, others }: { own: readonly PartOffer[]; others: readonly PartOffer[] },
): FlavorOffer | null => {
  const request = readFlavorRequest(flavor)
  if (aliasProblem(fleet, request)?.state === 'missing' || !requestsGpu(fleet, request)) return null
  const sum = add(own)
  if (isBare(sum) && !isBare(add(others))) return null
  const { cards, counts, atOnceWhenEmpty } = sum
  const amounts = [...gpuAmountsIn(fleet, request).values(), ...request.aliases.map(({ count }) => count)]
  const { id, name, vcpus, memoryMib, diskGib, ephemeralGib } = flavor
  return {
    id,
    name,
    vcpus,
    memoryMib,
    diskGib: diskGib + ephemeralGib,
    gpus: amounts.reduce((all, one) => all + one, 0),
    cards,
    purposes: purposesOf(cards),
    driverBranches: branchesOf(sum),
    availability: isOfferTold(fleet) ? availabilityOf(counts) : 'unknown',
    startsTogether: atOnceWhenEmpty === 0 ? null : atOnceWhenEmpty > 1,
  }
}
