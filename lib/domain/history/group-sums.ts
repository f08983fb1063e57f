import { type CurrentFigures, FIGURES, type Figure, NEVER_KNOWN, type Slot } from './figures'

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
  current: () => CurrentFigures
}

/**
 * The figures of the current span, in the order of FIGURES and then `unseen`: numbers instead of objects, updated once
 * per change.
 */
const createSpan = () => {
  const column = () => new Float64Array(FIGURES.length + 1)
  const [knownMs, integral, min, max] = [column(), column(), column(), column()]
  const figureAt = (index: number): Figure => {
    const ms = knownMs[index] ?? 0
    if (ms === 0) return NEVER_KNOWN
    return { knownMs: ms, integral: integral[index] ?? 0, min: min[index] ?? 0, max: max[index] ?? 0 }
  }
  return {
    add: (index: number, value: number, ms: number): void => {
      const isFirst = knownMs[index] === 0
      if (isFirst || value < (min[index] ?? 0)) min[index] = value
      if (isFirst || value > (max[index] ?? 0)) max[index] = value
      knownMs[index] = (knownMs[index] ?? 0) + ms
      integral[index] = (integral[index] ?? 0) + value * ms
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
    for (let index = 0; index < FIGURES.length; index += 1)
      if (!isHeld || index === USED) span.add(index, 0, knownMs)
  }

  const isKnown = (index: number): boolean => {
    if (members === 0) return fleet.watched > 0 && (!isHeld || index === USED)
    return watched > 0 && (known[index] ?? 0) > 0
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
    for (let index = 0; index < FIGURES.length; index += 1)
      if (isKnown(index)) span.add(index, sums[index] ?? 0, ms)
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
    for (let index = 0; index < share.numbers.length; index += 1) {
      const value = share.numbers[index] ?? null
      if (value === null) continue
      sums[index] = (sums[index] ?? 0) + sign * value
      known[index] = (known[index] ?? 0) + sign
    }
  }

  const sumNow = (index: number): number | null => (isKnown(index) ? (sums[index] ?? 0) : null)

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
    current: () => ({
      capacity: sumNow(CAPACITY),
      used: sumNow(USED),
      stranded: sumNow(STRANDED),
      unseen: members === 0 && fleet.watched === 0 ? null : unseen,
    }),
  }
}
