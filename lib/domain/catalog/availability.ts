/** How much is free of a flavor, as a tenant may know it. `unknown`: it can't be told now. */
export type Availability = 'free' | 'few' | 'none' | 'unknown'

/** `few` up to this many servers, so that a small cloud does not promise its last ones; */
const FEW_SERVERS = 2
/** and below this share of what the hosts take when nobody uses them. */
const FEW_SHARE = 1 / 8

/**
 * The word for what is free. `fits`: servers that surely fit now; `whenEmpty`: those that would if nobody used the hosts. A word
 * instead of a number, and two thresholds of which nobody outside knows which held: neither the size of the fleet nor what
 * others use follows from it.
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
