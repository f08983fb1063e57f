import { ApiError } from './client'
import { createNotice } from './notice'

export const sessionEnd = createNotice()

/** The server reported that the session has ended. */
export const noteSessionEnd = (error: unknown): void => {
  if (error instanceof ApiError && error.status === 401) sessionEnd.set(error.message)
}
