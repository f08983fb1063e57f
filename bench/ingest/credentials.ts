import { createHash } from 'node:crypto'

export const hostNameOf = (place: number): string => `cmp-${String(place).padStart(5, '0')}`

/** A secret that the console and the load process work out alike; a real one is random. */
export const secretOf = (place: number): string =>
  createHash('sha256').update(`bench ${place}`).digest('base64url')
