/** How much of a flavor is free, as a tenant may know it. */
export type Availability = 'free' | 'few' | 'none' | 'unknown'

/** `few` up to this many servers, so that a small cloud does not offer its last ones as free, */
const FEW_SERVERS = 2
/** and below this share of the servers that the empty hosts would take. */
const FEW_SHARE = 1 / 8

/**
 * The availability of a flavor. `fits`: servers that certainly fit now; `whenEmpty`: those that would fit on empty hosts.
 * Tenants get a word instead of a number, and cannot tell which of the two thresholds applied, so they can derive neither
 * the size of the fleet nor the use of others.
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
