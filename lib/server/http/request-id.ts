import 'server-only'
import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTED = /^[A-Za-z0-9_-]{8,64}$/

/** The id that a proxy in front gave, or a new one. */
export const requestIdFrom = (given: string | null | undefined): string =>
  given && ACCEPTED.test(given) ? given : randomUUID()
