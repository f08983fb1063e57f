import type { Known } from './types'

/** A number that the host's facts give. */
export const known = (value: number): Known => ({ value, reason: null })

/** A number that they don't, with one short sentence that says why. */
export const unknown = (reason: string): Known => ({ value: null, reason })
