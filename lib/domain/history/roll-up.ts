import { divideCapacity, emptyParts } from '../fleet/divide-capacity'
import type { CloudPoint, HistoryEvent, Holding, PgpuPoint } from './events'
import type { CurrentFigures, Slot } from './figures'
import { createGroupSums, type FleetCount, type GroupSums, type Share } from './group-sums'
import { type Group, isHeldDimension } from './groups'

/** A group with its figures, span by span; null: it had no member in that span. */
export type RolledGroup = Group & {
  slots: (Slot | null)[]
  /** The values at the end of the last span. */
  current: CurrentFigures
}

/** Spans of equal length, the last one up to `until`; all in ms. */
export type Spans = { begin: number; stepMs: number; until: number }

type GroupRules = {
  groupsOfPgpu: (point: PgpuPoint, word: CloudPoint | null, address: string) => readonly Group[]
  groupsOfHolding: (holding: Holding) => readonly Group[]
  /** Groups to which a pGPU adds 0, so that they are known while it is watched. */
  presenceOfPgpu?: (point: PgpuPoint) => readonly Group[]
}

type Held = Group & { sums: GroupSums; slots: (Slot | null)[] }
type Contribution = { share: Share; groups: readonly Held[] }
type Card = {
  point: PgpuPoint | null
  word: CloudPoint | null
  contribution: Contribution | null
  presence: Contribution | null
}
type Host = {
  isWatched: boolean
  cards: Map<string, Card>
  guests: Map<string, { holding: Holding; contribution: Contribution }>
}

/** The groups with their sums, and for how long the fleet had data in the current span. */
const createGroupTotals = (begin: number) => {
  const groups = new Map<string, Held>()
  const heldLists = new WeakMap<readonly Group[], readonly Held[]>()
  const fleet: FleetCount = { watched: 0 }
  let closed = 0
  let last = begin
  let knownMs = 0

  const passTo = (at: number): void => {
    if (fleet.watched > 0) knownMs += at - last
    last = at
  }
  const heldOf = (group: Group, at: number): Held => {
    const name = `${group.dimension} ${group.key}`
    const known = groups.get(name)
    if (known !== undefined) {
      known.label = group.label
      return known
    }
    passTo(at)
    const isHeld = isHeldDimension(group.dimension)
    const sums = createGroupSums({ begin: at, knownMs, isHeld, fleet })
    const held: Held = { ...group, sums, slots: Array.from({ length: closed }, () => null) }
    groups.set(name, held)
    return held
  }
  /** Rules that answer the same list again save the search for each of its groups. */
  const heldAll = (list: readonly Group[], at: number): readonly Held[] => {
    const known = heldLists.get(list)
    if (known !== undefined) return known
    const held = list.map((group) => heldOf(group, at))
    heldLists.set(list, held)
    return held
  }
  return {
    groups,
    /** Moves a share from its groups to others; cards (`by`) count for whether the fleet is watched. */
    move: (
      before: Contribution | null,
      after: { share: Share; groups: readonly Group[] } | null,
      { at, countsForFleet }: { at: number; countsForFleet: boolean },
    ): Contribution | null => {
      const by = countsForFleet
        ? Number(after?.share.isWatched ?? 0) - Number(before?.share.isWatched ?? 0)
        : 0
      passTo(at)
      // Groups without members are 0 only while the fleet is watched, so all take note when that begins or ends.
      if (by !== 0 && (fleet.watched === 0 || fleet.watched + by === 0))
        for (const { sums } of groups.values()) sums.advance(at)
      const contribution = after && { share: after.share, groups: heldAll(after.groups, at) }
      fleet.watched += by
      if (before !== null) for (const { sums } of before.groups) sums.leave(before.share, at)
      if (contribution !== null)
        for (const { sums } of contribution.groups) sums.enter(contribution.share, at)
      return contribution
    },
    closeSpan: (at: number): void => {
      for (const { sums, slots } of groups.values()) {
        sums.advance(at)
        slots.push(sums.take())
      }
      passTo(at)
      knownMs = 0
      closed += 1
    },
  }
}

const scratch = emptyParts()

/** As the fleet totals divide a capacity. History does not have what the driver could create: the rest of it counts as free. */
const cardShare = (point: PgpuPoint, { word }: Card, isWatched: boolean): Share => {
  const { capacity, used, spare, orphan } = point
  const stranded = word?.stranded ?? null
  const counts = { capacity, used, spare, orphan, returning: null, creatable: capacity, stranded }
  const parts = divideCapacity(counts, false, scratch)
  if (parts === null) return { numbers: NOTHING, unseen: 0, isWatched }
  const ifKnown = (known: number | null, part: number): number | null => (known === null ? null : part)
  return {
    numbers: [
      parts.capacity,
      ifKnown(used, parts.used),
      ifKnown(spare, parts.spare),
      ifKnown(orphan, parts.orphan),
      ifKnown(stranded, parts.stranded),
    ],
    unseen: parts.capacity,
    isWatched,
  }
}
const NOTHING = [null, null, null, null, null]

const presenceShare = (isWatched: boolean): Share => ({ numbers: [0, 0, 0, 0, 0], unseen: 0, isWatched })

const holdingShare = ({ count }: Holding, isWatched: boolean): Share => ({
  numbers: [null, count, null, null, null],
  unseen: count,
  isWatched,
})

const createSweep = (begin: number, { groupsOfPgpu, groupsOfHolding, presenceOfPgpu }: GroupRules) => {
  const hosts = new Map<number, Host>()
  const groupTotals = createGroupTotals(begin)

  const hostOf = (id: number): Host => {
    const host = hosts.get(id) ?? { isWatched: false, cards: new Map(), guests: new Map() }
    hosts.set(id, host)
    return host
  }
  const cardOf = ({ cards }: Host, address: string): Card => {
    const card = cards.get(address) ?? { point: null, word: null, contribution: null, presence: null }
    cards.set(address, card)
    return card
  }
  const updateCard = (address: string, { host, at }: { host: Host; at: number }): void => {
    const card = cardOf(host, address)
    const { point, word } = card
    if (point === null && card.contribution === null) return
    const after =
      point === null
        ? null
        : { share: cardShare(point, card, host.isWatched), groups: groupsOfPgpu(point, word, address) }
    card.contribution = groupTotals.move(card.contribution, after, { at, countsForFleet: true })
    const present = point === null ? undefined : presenceOfPgpu?.(point)
    if (card.presence === null && (present === undefined || present.length === 0)) return
    const presence = present && { share: presenceShare(host.isWatched), groups: present }
    card.presence = groupTotals.move(card.presence, presence ?? null, { at, countsForFleet: false })
  }
  const updateGuest = (
    uuid: string,
    { host, at, holding }: { host: Host; at: number; holding: Holding | null },
  ): void => {
    const after =
      holding === null
        ? null
        : { share: holdingShare(holding, host.isWatched), groups: groupsOfHolding(holding) }
    const before = host.guests.get(uuid)?.contribution ?? null
    const contribution = groupTotals.move(before, after, { at, countsForFleet: false })
    if (contribution === null || holding === null) host.guests.delete(uuid)
    else host.guests.set(uuid, { holding, contribution })
  }

  const apply = (event: HistoryEvent, at: number): void => {
    const host = hostOf(event.hostId)
    switch (event.kind) {
      case 'pgpu':
        cardOf(host, event.address).point = event.point
        updateCard(event.address, { host, at })
        break
      case 'cloud':
        cardOf(host, event.address).word = event.point
        updateCard(event.address, { host, at })
        break
      case 'guest':
        updateGuest(event.uuid, { host, at, holding: event.point })
        break
      case 'watch':
        host.isWatched = event.isWatched
        for (const address of host.cards.keys()) updateCard(address, { host, at })
        for (const [uuid, { holding }] of host.guests) updateGuest(uuid, { host, at, holding })
        break
    }
  }
  return { groupTotals, apply }
}

type RollUpInput = Spans & GroupRules & { events: readonly HistoryEvent[] }

const EVENTS_A_TURN = 4000

/**
 * The figures of each group in each span. Events until `begin` are the state at the start of the first span, in any order
 * but that of one pGPU or guest; the others come in order of `at`, and those from `until` on are ignored. A fleet has
 * hundreds of thousands of events, so other work may run between two turns.
 */
export function* rollUpInTurns({
  events,
  begin,
  stepMs,
  until,
  ...rules
}: RollUpInput): Generator<undefined, RolledGroup[]> {
  const { groupTotals, apply } = createSweep(begin, rules)
  let end = Math.min(begin + stepMs, until)
  const closeUpTo = (at: number): void => {
    while (end <= at && end > begin) {
      groupTotals.closeSpan(end)
      if (end === until) return
      end = Math.min(end + stepMs, until)
    }
  }
  for (const [index, event] of events.entries()) {
    if (event.at >= until) break
    closeUpTo(event.at)
    apply(event, Math.max(event.at, begin))
    if (index % EVENTS_A_TURN === EVENTS_A_TURN - 1) yield
  }
  closeUpTo(until)
  return [...groupTotals.groups.values()].map(({ sums, ...group }) => ({ ...group, current: sums.current() }))
}

/** All turns at once, for the few events of a host. */
export const rollUp = (input: RollUpInput): RolledGroup[] => {
  const turns = rollUpInTurns(input)
  for (;;) {
    const { done, value } = turns.next()
    if (done === true) return value
  }
}
