import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { devicesOfAlias } from '@/lib/domain/fit/alias-supply'
import type { FlavorRequest } from '@/lib/domain/fit/flavor-request'
import { type ReachedType, reachedTypes } from '@/lib/domain/fit/reached-types'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { parseTypeName } from '@/lib/domain/vgpu-type/type-name'
import { naturalOrder } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'

/** NVIDIA's series of vGPU types, by which it licenses them: Q, B, A and C end their names. */
export type Series = 'Q' | 'B' | 'A' | 'C'

/** What a tenant gets of one kind of card, independent of current use. Null: no source reports it. */
export type OfferCard = {
  /** `Tesla T4`. */
  model: string
  /** `T4-4C`; null: the whole card, without vGPUs. */
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
  hosts
    .flatMap(({ pgpus }) => pgpus)
    .filter(({ pgpu }) => pgpu.handedOutBy?.aliases.some(({ name }) => name === alias) === true)
    .map(({ pgpu }) => ({ pgpu, address: pgpu.address }))

const cardOfDevice = ({ pgpu, address }: { pgpu: Pgpu; address: string }): OfferCard => {
  const type = address === pgpu.address ? null : pgpu.currentType
  return {
    model: pgpu.model,
    typeName: type?.shortName ?? null,
    memoryMib: type === null ? pgpu.framebufferMib : type.framebufferMib,
    perCard: type === null ? 1 : type.maxInstance,
    displays: type?.heads ?? null,
    maxResolution: type?.maxResolution ?? null,
    series: type === null ? null : (parseTypeName(type.shortName)?.series ?? null),
  }
}

/** Each kind of card once, in the order of their names. */
export const distinctCards = (cards: readonly OfferCard[]): OfferCard[] => {
  const byName = new Map(cards.map((card) => [`${card.model} ${card.typeName ?? ''}`, card]))
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
export const offerCards = (
  fleet: Fleet,
  { hosts, request }: { hosts: Hosts; request: FlavorRequest },
): OfferCard[] => [
  ...reachedTypes({ hosts }, request).map(cardOfType),
  ...request.aliases.flatMap(({ name }) => cardsOfAlias(fleet, hosts, name)),
]
