import 'server-only'
import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTED = /^[A-Za-z0-9_-]{8,64}$/

export const isRequestId = (text: string | null | undefined): text is string => ACCEPTED.test(text ?? '')

/** The id that a proxy in front gave, or a new one. */
export const requestIdFrom = (given: string | null | undefined): string =>
  isRequestId(given) ? given : randomUUID()
