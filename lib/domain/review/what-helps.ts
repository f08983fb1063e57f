import { NO_FLAVOR, NO_HEADROOM, NO_VF_TYPE } from '@/lib/domain/fleet/stranded-reasons'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import type { ReviewCard, StrandedGroup } from './review-cards'

/** A sentence, and what it would bring; `weight` in vGPUs or servers orders them. */
export type Help = { sentence: string; effect: string | null; weight: number }

/** Servers of a flavor that were refused for a reason. */
export type RefusedGroup = {
  flavor: string | null
  reason: 'no-valid-host' | 'over-limit' | 'build-failed'
  servers: number
}

/** Types of GPU instances (`A100-1-5C`) require a new MIG layout of the card. */
const isMigType = (name: string): boolean => /-\d+-\d+[A-Z]/.test(name)

const isSliced = ({ point }: ReviewCard): boolean =>
  point.typeId !== null && (point.capacity ?? 0) > 0 && point.framework !== 'passthrough'

type OfType = { label: string; cards: ReviewCard[] }

const groupTypes = (cards: readonly ReviewCard[]): Map<string, Map<string, OfType>> => {
  const models = new Map<string, Map<string, OfType>>()
  for (const card of cards) {
    const { model, typeId, typeName, framework } = card.point
    if (!card.isWatched || !isSliced(card) || model === null || typeId === null) continue
    const kind = `${model}\n${framework}`
    const types = models.get(kind) ?? new Map<string, OfType>()
    const group = types.get(typeId) ?? { label: typeName ?? typeId, cards: [] }
    group.cards.push(card)
    types.set(typeId, group)
    models.set(kind, types)
  }
  return models
}

const isEmpty = ({ point: { used, spare, orphan } }: ReviewCard): boolean =>
  used === 0 && (spare ?? 1) === 0 && (orphan ?? 1) === 0

const freeOf = ({ point: { capacity, used } }: ReviewCard): number => (capacity ?? 0) - (used ?? 0)

/** Cards of a model that hold nothing, while another type of the same model is full. */
const helpByType = (cards: readonly ReviewCard[]): Help[] =>
  [...groupTypes(cards).values()].flatMap((types) => {
    const named = [...types.values()].filter(({ label }) => !isMigType(label))
    const full = named.filter((type) => type.cards.every((card) => freeOf(card) <= 0))
    return full.flatMap((wanted) => {
      const perCard = Math.max(...wanted.cards.map(({ point }) => point.capacity ?? 0))
      return named.flatMap((other): Help[] => {
        const empty = other === wanted ? [] : other.cards.filter(isEmpty)
        if (empty.length === 0) return []
        const taken = empty.reduce((sum, card) => sum + freeOf(card), 0)
        const what = formatNoun(empty.length, 'unused card')
        return [
          {
            sentence: `Change ${what} of the same model from ${other.label} to ${wanted.label}, which is full. This removes ${taken} unused ${other.label}.`,
            effect: `+${empty.length * perCard}`,
            weight: empty.length * perCard,
          },
        ]
      })
    })
  })

const BY_REASON: Readonly<Record<string, string>> = {
  [NO_FLAVOR]: 'Create a flavor for free vGPUs that no flavor requests',
  [NO_VF_TYPE]: 'Set a vGPU type for free VFs that have none',
  [NO_HEADROOM]: 'Free CPU, memory or disk for free vGPUs of hosts that have none left',
}

const helpByReason = (stranded: readonly StrandedGroup[], nameOf: (hostId: number) => string): Help[] =>
  stranded.flatMap(({ because, vgpus, hostIds }) => {
    if (because === null) return []
    const where = `on ${listText(hostIds.map(nameOf).toSorted(), 2)}`
    const sentence = BY_REASON[because] ?? `Make free vGPUs available (${because})`
    return [{ sentence: `${sentence}, ${where}.`, effect: `+${vgpus}`, weight: vgpus }]
  })

const helpByOrphans = (orphans: { mdevs: number; hosts: number }): Help[] =>
  orphans.mdevs === 0
    ? []
    : [
        {
          sentence: `Remove orphaned mdevs on ${formatNoun(orphans.hosts, 'host')}. They block free vGPUs.`,
          effect: `+${orphans.mdevs}`,
          weight: orphans.mdevs,
        },
      ]

const DEMAND: Readonly<Record<RefusedGroup['reason'], (servers: string, flavor: string) => string>> = {
  // Nova does not report what was missing: vGPUs, CPU, memory, a trait or an aggregate.
  'no-valid-host': (servers, flavor) =>
    `Add capacity for ${flavor}, or find out why it cannot use free vGPUs. There was no valid host for ${servers}.`,
  'over-limit': (servers, flavor) => `Raise the quota for ${flavor}. It prevented ${servers}.`,
  'build-failed': (servers, flavor) => `Check the hosts of ${flavor}. The build of ${servers} failed there.`,
}

const helpByDemand = (refused: readonly RefusedGroup[]): Help[] =>
  refused.flatMap(({ flavor, reason, servers }) =>
    flavor === null
      ? []
      : [
          {
            sentence: DEMAND[reason](formatNoun(servers, 'server'), flavor),
            effect: null,
            weight: servers,
          },
        ],
  )

/**
 * What follows from the numbers of a review, the greatest effect first, at most `max`: only what can be counted from them, so
 * there may be nothing. What brings vGPUs without buying any comes before what only names a demand.
 */
export const whatHelps = (
  {
    cards,
    stranded,
    refused,
    orphans,
    nameOf,
  }: {
    cards: readonly ReviewCard[]
    stranded: readonly StrandedGroup[]
    refused: readonly RefusedGroup[]
    /** Of watched hosts at the end. */
    orphans: { mdevs: number; hosts: number }
    nameOf: (hostId: number) => string
  },
  max: number,
): Omit<Help, 'weight'>[] => {
  const free = [...helpByType(cards), ...helpByReason(stranded, nameOf), ...helpByOrphans(orphans)]
  const inOrder = (list: readonly Help[]): Help[] =>
    list.toSorted((a, b) => b.weight - a.weight || (a.sentence < b.sentence ? -1 : 1))
  // One place at least for the demand, if there is any.
  const demand = inOrder(helpByDemand(refused))
  const first = inOrder(free).slice(0, demand.length === 0 ? max : max - 1)
  return [...first, ...demand].slice(0, max).map(({ sentence, effect }) => ({ sentence, effect }))
}
