import { createHash } from 'node:crypto'

export const hostNameOf = (index: number): string => `cmp-${String(index).padStart(5, '0')}`

/** A secret that the console and the load process work out alike; a real one is random. */
export const secretOf = (index: number): string =>
  createHash('sha256').update(`bench ${index}`).digest('base64url')
