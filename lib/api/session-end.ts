import { ApiError } from './client'

let sentence: string | null = null
const listeners = new Set<() => void>()

/** The server reported that the session has ended. The first report counts. */
export const noteSessionEnd = (error: unknown): void => {
  if (sentence !== null || !(error instanceof ApiError) || error.status !== 401) return
  sentence = error.message
  for (const listener of listeners) listener()
}

export const sessionEndSentence = (): string | null => sentence
/** No session ends during server rendering. */
export const noSessionEnd = (): null => null
export const subscribeToSessionEnd = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
