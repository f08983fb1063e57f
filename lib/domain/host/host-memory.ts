import type { HostReading } from './host-reading'

/**
 * The last reading of one host. What its next inventory shares with that one, as the very same objects, is not read again;
 * any other inventory is read whole.
 */
export type HostMemory = { reading: HostReading | null }

export const createHostMemory = (): HostMemory => ({ reading: null })
