import { FIGURES, type Figure, NEVER_KNOWN, type Slot, type Standing } from './figures'

/** vGPUs in the order of FIGURES; null is unknown. */
type Numbers = readonly (number | null)[]

/** What one pGPU, or one guest's use, adds to its groups. `unseen`: what it counts for if its host has no data. */
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
  /** The current values; capacity and use are of hosts with data. */
  standing: () => Standing
}

/**
 * The figures of the current span, in the order of FIGURES and then `unseen`: numbers instead of objects, updated once
 * per change.
 */
const createSpan = () => {
  const column = () => new Float64Array(FIGURES.length + 1)
  const [knownMs, integral, min, max] = [column(), column(), column(), column()]
  const figureAt = (place: number): Figure => {
    const ms = knownMs[place] ?? 0
    if (ms === 0) return NEVER_KNOWN
    return { knownMs: ms, integral: integral[place] ?? 0, min: min[place] ?? 0, max: max[place] ?? 0 }
  }
  return {
    add: (place: number, value: number, ms: number): void => {
      const isFirst = knownMs[place] === 0
      if (isFirst || value < (min[place] ?? 0)) min[place] = value
      if (isFirst || value > (max[place] ?? 0)) max[place] = value
      knownMs[place] = (knownMs[place] ?? 0) + ms
      integral[place] = (integral[place] ?? 0) + value * ms
    },
    figureAt,
    clear: (): void => {
      knownMs.fill(0)
      integral.fill(0)
    },
  }
}

const UNSEEN = FIGURES.length
const CAPACITY = FIGURES.indexOf('capacity')
const USED = FIGURES.indexOf('used')
const STRANDED = FIGURES.indexOf('stranded')

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
  const span = createSpan()
  let spanKnownMs = knownMs
  let spanGapMs = 0
  let members = 0
  let watched = 0
  let unseen = 0
  let last = begin
  let hadMembers = false
  if (knownMs > 0) {
    span.add(UNSEEN, 0, knownMs)
    for (let place = 0; place < FIGURES.length; place += 1)
      if (!isHeld || place === USED) span.add(place, 0, knownMs)
  }

  const isKnown = (place: number): boolean => {
    if (members === 0) return fleet.watched > 0 && (!isHeld || place === USED)
    return watched > 0 && (known[place] ?? 0) > 0
  }

  const advance = (at: number): void => {
    const ms = at - last
    if (ms <= 0) return
    last = at
    if (members === 0 && fleet.watched === 0) return
    hadMembers ||= members > 0
    span.add(UNSEEN, unseen, ms)
    if (members > 0 && watched === 0) {
      spanGapMs += ms
      return
    }
    spanKnownMs += ms
    for (let place = 0; place < FIGURES.length; place += 1)
      if (isKnown(place)) span.add(place, sums[place] ?? 0, ms)
  }

  const takeSlot = (): Slot => ({
    knownMs: spanKnownMs,
    gapMs: spanGapMs,
    capacity: span.figureAt(0),
    used: span.figureAt(1),
    spare: span.figureAt(2),
    orphan: span.figureAt(3),
    stranded: span.figureAt(4),
    unseen: span.figureAt(UNSEEN),
  })

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

  const sumNow = (place: number): number | null => (isKnown(place) ? (sums[place] ?? 0) : null)

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
      const taken = hadMembers ? takeSlot() : null
      span.clear()
      spanKnownMs = 0
      spanGapMs = 0
      hadMembers = false
      return taken
    },
    standing: () => ({
      capacity: sumNow(CAPACITY),
      used: sumNow(USED),
      stranded: sumNow(STRANDED),
      unseen: members === 0 && fleet.watched === 0 ? null : unseen,
    }),
  }
}
