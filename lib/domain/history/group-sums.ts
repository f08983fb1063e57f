import { emptySlot, FIGURES, type Figure, type Slot } from './figures'

/** vGPUs in the order of FIGURES; null is unknown. */
type Numbers = readonly (number | null)[]

/** What one pGPU, or one guest's holding, adds to its groups. `unseen`: what it counts for when nobody watches its host. */
export type Share = { numbers: Numbers; unseen: number; isWatched: boolean }

/** Number of watched pGPUs of the whole fleet; a group without members is 0 while it is above 0. */
export type FleetCount = { watched: number }

export type GroupSums = {
  enter: (share: Share, at: number) => void
  leave: (share: Share, at: number) => void
  /** Takes the time up to `at` into the figures. */
  advance: (at: number) => void
  /** The figures since the last call; null when the group had no member all that time. */
  take: () => Slot | null
}

const add = (figure: Figure, value: number, ms: number): Figure => ({
  knownMs: figure.knownMs + ms,
  integral: figure.integral + value * ms,
  min: figure.min === null ? value : Math.min(figure.min, value),
  max: figure.max === null ? value : Math.max(figure.max, value),
})

/** The running sums of one group from `begin` (ms) on; before it in this span the fleet was known for `knownMs`. */
export const createGroupSums = ({
  begin,
  knownMs,
  isHeld,
  fleet,
}: {
  begin: number
  knownMs: number
  isHeld: boolean
  fleet: FleetCount
}): GroupSums => {
  const sums = FIGURES.map(() => 0)
  const known = FIGURES.map(() => 0)
  let members = 0
  let watched = 0
  let unseen = 0
  let last = begin
  let slot = emptySlot({ knownMs, isHeld })
  let hadMembers = false

  const advance = (at: number): void => {
    const ms = at - last
    if (ms <= 0) return
    last = at
    if (members === 0 && fleet.watched === 0) return
    hadMembers ||= members > 0
    slot.unseen = add(slot.unseen, unseen, ms)
    if (members > 0 && watched === 0) {
      slot.gapMs += ms
      return
    }
    slot.knownMs += ms
    for (const [place, name] of FIGURES.entries()) {
      const isKnown = members === 0 ? !isHeld || name === 'used' : (known[place] ?? 0) > 0
      if (isKnown) slot[name] = add(slot[name], sums[place] ?? 0, ms)
    }
  }

  const count = (share: Share, sign: 1 | -1): void => {
    members += sign
    if (!share.isWatched) {
      unseen += sign * share.unseen
      return
    }
    watched += sign
    for (let place = 0; place < share.numbers.length; place += 1) {
      const value = share.numbers[place] ?? null
      if (value === null) continue
      sums[place] = (sums[place] ?? 0) + sign * value
      known[place] = (known[place] ?? 0) + sign
    }
  }

  return {
    enter: (share, at) => {
      advance(at)
      count(share, 1)
    },
    leave: (share, at) => {
      advance(at)
      count(share, -1)
    },
    advance,
    take: () => {
      const taken = hadMembers ? slot : null
      slot = emptySlot({ knownMs: 0, isHeld })
      hadMembers = false
      return taken
    },
  }
}
