/**
 * The figures of a roll-up of a group of pGPUs; of flavors and projects only `used` is known, the vGPUs that they use.
 */
export const FIGURES = ['capacity', 'used', 'spare', 'orphan', 'stranded'] as const
type FigureName = (typeof FIGURES)[number]

/**
 * A number of vGPUs over the time in which it was known: integral in vGPU·ms, so that spans join without loss. `min` and `max`
 * are null when it was never known.
 */
export type Figure = { knownMs: number; integral: number; min: number | null; max: number | null }

/**
 * A group of pGPUs over a span of time. `knownMs`: some of it has data, or it had no member while the fleet had data
 * (then it is 0); `gapMs`: it had members and none of them has data. `unseen`: last known capacity of members whose hosts
 * have no data (of flavors and projects: what they used there last), which is neither used nor free.
 */
export type Slot = Record<FigureName | 'unseen', Figure> & { knownMs: number; gapMs: number }

/** The values at one moment, in vGPUs; null: unknown. */
export type CurrentFigures = Record<'capacity' | 'used' | 'stranded' | 'unseen', number | null>

export const NEVER_KNOWN: Figure = { knownMs: 0, integral: 0, min: null, max: null }

const min = (a: number | null, b: number | null): number | null => {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}
const max = (a: number | null, b: number | null): number | null => {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

const joinFigures = (a: Figure, b: Figure): Figure => ({
  knownMs: a.knownMs + b.knownMs,
  integral: a.integral + b.integral,
  min: min(a.min, b.min),
  max: max(a.max, b.max),
})

/** Average over the known time, weighted by time; null when it was never known. */
export const averageOf = ({ knownMs, integral }: Figure): number | null =>
  knownMs === 0 ? null : integral / knownMs

/** The figures of two spans together; the spans must not overlap. */
const joinSlots = (a: Slot, b: Slot): Slot => ({
  knownMs: a.knownMs + b.knownMs,
  gapMs: a.gapMs + b.gapMs,
  capacity: joinFigures(a.capacity, b.capacity),
  used: joinFigures(a.used, b.used),
  spare: joinFigures(a.spare, b.spare),
  orphan: joinFigures(a.orphan, b.orphan),
  stranded: joinFigures(a.stranded, b.stranded),
  unseen: joinFigures(a.unseen, b.unseen),
})

const zeroFor = (ms: number): Figure =>
  ms === 0 ? NEVER_KNOWN : { knownMs: ms, integral: 0, min: 0, max: 0 }

/** A group that had no member while the fleet was known for `knownMs`. `isHeld`: of a flavor or a project. */
export const emptySlot = ({ knownMs, isHeld }: { knownMs: number; isHeld: boolean }): Slot => {
  const zero = zeroFor(knownMs)
  const other = isHeld ? NEVER_KNOWN : zero
  return {
    knownMs,
    gapMs: 0,
    capacity: other,
    used: zero,
    spare: other,
    orphan: other,
    stranded: other,
    unseen: zero,
  }
}

/**
 * The figures of a row of spans as one; null when the group had a member in none of them. In spans without one it counts as
 * empty for as long as the fleet (`fleet`, slot by slot the group of all) was known.
 */
export const joinRow = (
  slots: readonly (Slot | null | undefined)[],
  { fleet, isHeld }: { fleet: readonly (Slot | null | undefined)[]; isHeld: boolean },
): Slot | null => {
  if (slots.every((slot) => slot === null || slot === undefined)) return null
  return slots
    .map((slot, index) => slot ?? emptySlot({ knownMs: fleet[index]?.knownMs ?? 0, isHeld }))
    .reduce(joinSlots)
}
