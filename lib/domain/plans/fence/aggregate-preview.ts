import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavorsOf, isGpuFlavor, serversByGpus } from '@/lib/domain/fence/gpu-flavors'
import { gpuRoom, type ordinaryServers } from '@/lib/domain/fence/gpu-room'
import { plainNeeds } from '@/lib/domain/fence/plain-needs'
import { hostLines, roomFor, shortOf } from '@/lib/domain/fence/room-lines'
import { shutOutBecause } from '@/lib/domain/fence/shut-out'
import { worstCase } from '@/lib/domain/fence/worst-case'
import { type AggregateWish as AggregateTie, withAggregate } from '../flavor-steps/draft-aggregate'
import { type AggregateDraft, keyOf, mayCome, usable } from './aggregate-wish'
import type { FenceCheck, FenceFlavorChange, FenceHost } from './preview'
import { landsOn, shutChecks } from './shut-flavors'
import type { AggregateWish } from './tasks'

/** The current cloud, and the cloud with the aggregate of the reservation. */
export type Fleets = { fleet: Fleet; next: Fleet }

/** A flavor without a word on the trait, which the fence itself settles. */
const withoutTrait = (wish: AggregateWish, flavor: Flavor): Flavor => {
  if (wish.way === 'forbidden') return flavor
  const { [keyOf(wish)]: _, ...extraSpecs } = flavor.extraSpecs
  return { ...flavor, extraSpecs }
}

/** The fleet once the hosts are in the aggregate, whose other properties may let flavors in. */
export const fencedFleet = (fleet: Fleet, tie: AggregateTie | null): Fleet =>
  tie === null ? fleet : withAggregate(fleet, tie)

/** Why a flavor that the fence lets in can't land on one of its hosts all the same; null: it can, or none of its GPUs is there. */
const stillShut = (next: Fleet, joined: JoinedHost, wish: AggregateWish, flavor: Flavor): string | null => {
  const bare = withoutTrait(wish, flavor)
  return !mayCome(next, wish)(flavor) || serversByGpus(next, joined, bare) === null
    ? null
    : shutOutBecause(next, joined, bare, wish.trait)
}

/** One sentence for each flavor that the fence lets in and that something else keeps off the host. */
export const stillShutChecks = (next: Fleet, joined: JoinedHost, wish: AggregateWish): FenceCheck[] =>
  shutChecks(
    joined.host.name,
    gpuFlavorsOf(next).flatMap((flavor) => {
      const because = stillShut(next, joined, wish, flavor)
      return because === null ? [] : [{ id: flavor.id, name: flavor.name, because }]
    }),
  )

/** How many hosts flavors that are written could land on, before and after. */
export const flavorChanges = (
  { fleet, next }: Fleets,
  wish: AggregateWish,
  draft: AggregateDraft,
): FenceFlavorChange[] => {
  const isIsolated = wish.way === 'isolated'
  const isFenced = (joined: JoinedHost): boolean =>
    draft.joined.includes(joined) || joined.root.value?.traits?.includes(wish.trait) === true
  const wasOpen = (joined: JoinedHost, flavor: Flavor): boolean =>
    isGpuFlavor(fleet, flavor) ? landsOn(fleet, joined, flavor) : joined.root.value !== null
  const isOpen = (joined: JoinedHost, flavor: Flavor): boolean =>
    isGpuFlavor(next, flavor) ? landsOn(next, joined, withoutTrait(wish, flavor)) : joined.root.value !== null
  return (isIsolated ? draft.chosen : draft.ordinary).map((flavor) => ({
    id: flavor.id,
    name: flavor.name,
    key: keyOf(wish),
    value: isIsolated ? 'required' : 'forbidden',
    hostsBefore: fleet.hosts.filter((joined) => wasOpen(joined, flavor)).length,
    hostsAfter: fleet.hosts.filter((joined) => isFenced(joined) === isIsolated && isOpen(joined, flavor))
      .length,
  }))
}

/** A host's room before and after, and what is left of it at worst. */
export const hostPreview = (
  { fleet, next }: Fleets,
  joined: JoinedHost,
  { wish, moves }: { wish: AggregateWish; moves: ReturnType<typeof ordinaryServers> },
): FenceHost => {
  const before = hostLines(joined)
  const after = before.map((line) => {
    const used = Math.max(0, line.used - moves.reduce((sum, { needs }) => sum + needs[line.name], 0))
    return { ...line, used, free: Math.max(0, line.capacity - used) }
  })
  const worst = worstCase(fleet, after, usable(fleet), mayCome(fleet, wish))
  return {
    host: joined.host.name,
    stateBefore: gpuRoom(fleet, joined).state,
    before,
    after,
    flavors: gpuFlavorsOf(fleet).flatMap((flavor) => {
      const gpus = serversByGpus(fleet, joined, withoutTrait(wish, flavor))
      if (gpus === null) return []
      const [needs, most] = [plainNeeds(flavor), gpus.value ?? 0]
      const isIn = mayCome(fleet, wish)(flavor) && stillShut(next, joined, wish, flavor) === null
      const left = roomFor(worst.lines, needs)
      return [
        {
          id: flavor.id,
          name: flavor.name,
          before: landsOn(fleet, joined, flavor) ? Math.min(most, roomFor(before, needs)) : 0,
          after: isIn ? Math.min(most, roomFor(after, needs)) : 0,
          worst: isIn ? Math.min(most, left) : 0,
          short: left > 0 || !isIn ? [] : shortOf(worst.lines, needs),
        },
      ]
    }),
  }
}
