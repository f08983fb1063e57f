/** The state of one type: `none` is free, one is `free`, no card has it (`gone`), or too much of it is `unknown`. */
type Availability = 'none' | 'free' | 'gone' | 'unknown'

/** vGPUs of one type over all its cards, as the overview sums them. Null: of none of them it is known. */
export type TypeSums = {
  typeId: string
  typeName: string
  pgpus: number
  capacity: number | null
  used: number | null
  spare: number | null
  creatable: number | null
  /** Cards whose numbers are not known; they are in no sum. */
  unknown: number
}

/** ISO 8601 UTC; `notifiedAt` null: it has not lasted long enough, `overSince` null: none is free. */
export type Exhaustion = {
  typeId: string
  typeName: string
  since: string
  notifiedAt: string | null
  overSince: string | null
}

export type ExhaustionStep = {
  /** What to keep, each type once. */
  held: Exhaustion[]
  begun: { exhaustion: Exhaustion; capacity: number; used: number }[]
  ended: { exhaustion: Exhaustion; endedAt: string; because: 'free' | 'gone' }[]
}

/** How long no vGPU must be free before an exhaustion is reported, and how long one must be free before its end is. */
export const EXHAUSTION_MS = 10 * 60_000

/** One that is known to be free is enough; that none is has to be known of every card. */
const availabilityOf = (sums: TypeSums | undefined): Availability => {
  if (sums === undefined) return 'gone'
  if ((sums.spare ?? 0) + (sums.creatable ?? 0) > 0) return 'free'
  if (sums.unknown > 0 || sums.spare === null || sums.creatable === null) return 'unknown'
  return (sums.capacity ?? 0) > 0 ? 'none' : 'unknown'
}

const lasted = (since: string, now: string): boolean => Date.parse(now) - Date.parse(since) >= EXHAUSTION_MS

const updateUnnotified = (
  step: ExhaustionStep,
  sums: TypeSums,
  { since, now }: { since: string; now: string },
) => {
  const { typeId, typeName, capacity, used } = sums
  const isLong = lasted(since, now)
  const exhaustion = { typeId, typeName, since, notifiedAt: isLong ? now : null, overSince: null }
  step.held.push(exhaustion)
  if (isLong) step.begun.push({ exhaustion, capacity: capacity ?? 0, used: used ?? 0 })
}

const updateNotified = (
  step: ExhaustionStep,
  held: Exhaustion,
  { availability, now }: { availability: Availability; now: string },
): void => {
  if (availability === 'unknown') step.held.push(held)
  else if (availability === 'none') step.held.push({ ...held, overSince: null })
  else {
    const overSince = held.overSince ?? now
    if (lasted(overSince, now))
      step.ended.push({
        exhaustion: held,
        endedAt: overSince,
        because: availability === 'free' ? 'free' : 'gone',
      })
    else step.held.push({ ...held, overSince })
  }
}

/**
 * The next state after a check of the fleet. An exhaustion is reported once it has lasted, and its end once it has been
 * over for as long, so that a vGPU that is freed and used again causes no event. While a type is unknown nothing is
 * reported; one that was not reported yet then starts again. Pure.
 */
export const advanceExhaustions = ({
  held,
  types,
  now,
}: {
  held: readonly Exhaustion[]
  types: readonly TypeSums[]
  now: string
}): ExhaustionStep => {
  const sumsOf = new Map(types.map((sums) => [sums.typeId, sums]))
  const heldOf = new Map(held.map((one) => [one.typeId, one]))
  const step: ExhaustionStep = { held: [], begun: [], ended: [] }
  for (const one of held)
    if (one.notifiedAt !== null)
      updateNotified(step, one, { availability: availabilityOf(sumsOf.get(one.typeId)), now })
  for (const sums of types) {
    const before = heldOf.get(sums.typeId)
    if (availabilityOf(sums) === 'none' && (before?.notifiedAt ?? null) === null)
      updateUnnotified(step, sums, { since: before?.since ?? now, now })
  }
  return step
}
