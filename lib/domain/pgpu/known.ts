import type { Known } from './types'

/** Numbers of vGPUs are small, and each of some thousand pGPUs has six of them. */
const SMALL: readonly Known[] = Array.from({ length: 33 }, (_, value) => ({ value, reason: null }))

/** A number that the host's facts give. */
export const known = (value: number): Known => SMALL[value] ?? { value, reason: null }

/** An unknown number, with one short sentence as the reason. */
export const unknown = (reason: string): Known => ({ value: null, reason })

/** Why it is unknown how many vGPUs of a type a card holds. */
export const NO_MAXIMUM = 'neither the driver nor a published table reports how many fit on this card'
