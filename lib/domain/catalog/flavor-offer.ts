import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import type { Flavor } from '@/lib/domain/cloud/types'
import { aliasProblem } from '@/lib/domain/fit/alias-meaning'
import { devicesOfAlias } from '@/lib/domain/fit/alias-supply'
import { countWhenEmpty } from '@/lib/domain/fit/could-land'
import { countHost, fitGap, flavorQuestion, hasGpus, unseenFits } from '@/lib/domain/fit/explain-fit'
import { type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn, requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { hostBlockers } from '@/lib/domain/fit/host-blockers'
import { type ReachedType, reachedTypes } from '@/lib/domain/fit/reached-types'
import { servingHosts } from '@/lib/domain/fit/serving-hosts'
import { aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { parseTypeName } from '@/lib/domain/vgpu-type/type-name'
import { driverBranch } from '@/lib/domain/vgpu-type/vgpu-release'
import { naturalOrder } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'
import { type CardPart, partOfType, UNKNOWN_PART, WHOLE_CARD } from './card-share'
import type { FleetPart } from './fleet-parts'

/** NVIDIA's series of vGPU types, by which it licenses them: Q, B, A and C end their names. */
type Series = 'Q' | 'B' | 'A' | 'C'

/** What a tenant gets of one kind of card, independent of current use. Null: no source reports it. */
export type OfferCard = CardPart & {
  /** `Tesla T4`. */
  model: string
  /** `T4-4C`; null: a device without vGPUs, such as the whole card. */
  typeName: string | null
  /** Of one vGPU, or of the whole card. Unit: MiB. */
  memoryMib: number | null
  /** Such vGPUs on one card; 1: the card is not shared. */
  perCard: number | null
  /** Displays of one vGPU; null: not reported, or a whole card, whose type sets no limit. */
  displays: number | null
  /** `7680x4320`. */
  maxResolution: string | null
  series: Series | null
}

const cardOfType = (type: ReachedType): OfferCard => ({
  model: type.model,
  typeName: type.name,
  memoryMib: type.framebufferMib,
  perCard: type.maxInstance,
  ...partOfType(type),
  displays: type.heads,
  maxResolution: type.maxResolution,
  series: parseTypeName(type.name)?.series ?? null,
})

type Hosts = readonly JoinedHost[]

/** By what Nova's API takes the alias for; where that is not known, by what the hosts' own nova.conf calls so. */
const handedOutAs = (
  fleet: Fleet,
  { name: alias, hosts }: { name: string; hosts: Hosts },
): readonly { pgpu: Pgpu; address: string }[] =>
  devicesOfAlias(fleet, { name: alias, hosts }) ??
  hosts.flatMap((joined) => {
    const entries = (joined.nova?.aliases ?? []).filter(({ name }) => name === alias)
    return handedOutDevices(joined).filter(({ offer }) =>
      entries.some((entry) => aliasTakes(entry, offer) === true),
    )
  })

const cardOfDevice = ({ pgpu, address }: { pgpu: Pgpu; address: string }): OfferCard => {
  const isWhole = address === pgpu.address
  const type = isWhole ? null : pgpu.currentType
  const { model } = pgpu
  const part = type === null ? UNKNOWN_PART : partOfType({ ...type, name: type.shortName, model })
  return {
    model,
    typeName: type?.shortName ?? null,
    memoryMib: isWhole ? pgpu.framebufferMib : (type?.framebufferMib ?? null),
    perCard: isWhole ? 1 : (type?.maxInstance ?? null),
    ...(isWhole ? WHOLE_CARD : part),
    displays: type?.heads ?? null,
    maxResolution: type?.maxResolution ?? null,
    series: type === null ? null : (parseTypeName(type.shortName)?.series ?? null),
  }
}

/** Each kind of card once, in the order of their names. */
const distinctCards = (cards: readonly OfferCard[]): OfferCard[] => {
  const byName = new Map(
    cards.map((card) => [`${card.model} ${card.typeName ?? (card.isolation === 'whole' ? '' : 'VF')}`, card]),
  )
  return [...byName].toSorted(([a], [b]) => naturalOrder(a, b)).map(([, card]) => card)
}

const cardsOfAliases = oncePer((_: Fleet) => oncePer((_: Hosts) => new Map<string, readonly OfferCard[]>()))

/** Found once for each alias: many flavors ask for the same few. */
const cardsOfAlias = (fleet: Fleet, hosts: Hosts, name: string): readonly OfferCard[] => {
  const known = cardsOfAliases(fleet)(hosts)
  const cards = known.get(name) ?? distinctCards(handedOutAs(fleet, { name, hosts }).map(cardOfDevice))
  known.set(name, cards)
  return cards
}

/** The kinds of card that a request is served by on some hosts; empty: none is known. */
const offerCards = (
  fleet: Fleet,
  { hosts, request }: { hosts: Hosts; request: FlavorRequest },
): OfferCard[] => [
  ...reachedTypes({ hosts }, request).map(cardOfType),
  ...request.aliases.flatMap(({ name }) => cardsOfAlias(fleet, hosts, name)),
]

/** Purposes of a GPU, in display order. */
export const PURPOSES = ['desktop', 'cad', 'rendering', 'training', 'inference'] as const
export type Purpose = (typeof PURPOSES)[number]

/**
 * What NVIDIA licenses a series for (Q RTX vWS, B vPC, A vApps, C AI Enterprise), and the least memory of one vGPU
 * with which the purpose makes sense. The memory is a rule of thumb of ours. Unit: MiB.
 */
const MIN_MIB: Readonly<Record<Series | 'whole', Readonly<Partial<Record<Purpose, number>>>>> = {
  Q: { desktop: 0, cad: 1024, rendering: 8192, training: 16_384, inference: 8192 },
  B: { desktop: 0 },
  A: { desktop: 0 },
  C: { training: 8192, inference: 0 },
  whole: { rendering: 0, training: 8192, inference: 0 },
}

const isGoodFor = ({ series, typeName, isolation, memoryMib }: OfferCard, purpose: Purpose): boolean => {
  if (series === null && (typeName !== null || isolation !== 'whole')) return false
  const min = MIN_MIB[series ?? 'whole'][purpose]
  return min !== undefined && (min === 0 || (memoryMib !== null && memoryMib >= min))
}

/** What every kind of card that a flavor may land on is good for; empty where one is of no known series. */
export const purposesOf = (cards: readonly OfferCard[]): Purpose[] =>
  cards.length === 0 ? [] : PURPOSES.filter((purpose) => cards.every((card) => isGoodFor(card, purpose)))

/** How much of a flavor is free, as a tenant may know it. */
type Availability = 'free' | 'few' | 'none' | 'unknown'

/** `few` up to this many servers, so that a small cloud does not offer its last ones as free, */
const FEW_SERVERS = 2
/** and below this share of the servers that the empty hosts would take. */
const FEW_SHARE = 1 / 8

/**
 * The availability of a flavor. `fits`: servers that certainly fit now; `whenEmpty`: those that would fit on empty hosts.
 * Tenants get a word instead of a number, and cannot tell which of the two thresholds applied, so they can derive neither
 * the size of the fleet nor the use of others.
 */
export const availabilityOf = ({
  fits,
  whenEmpty,
  isKnown,
}: {
  fits: number
  whenEmpty: number
  /** False: a part could not be counted, so that none may be some. */
  isKnown: boolean
}): Availability => {
  if (fits <= 0) return isKnown ? 'none' : 'unknown'
  return fits <= FEW_SERVERS || fits < whenEmpty * FEW_SHARE ? 'few' : 'free'
}

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
export const isOfferKnown = (fleet: Fleet): boolean =>
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
    availability: isOfferKnown(fleet) ? availabilityOf(counts) : 'unknown',
    startsTogether: atOnceWhenEmpty === 0 ? null : atOnceWhenEmpty > 1,
  }
}
