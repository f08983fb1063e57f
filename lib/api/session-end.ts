import { isSignedOut } from './client'
import { createNotice } from './notice'

export const sessionEnd = createNotice()

/** The server reported that the session has ended. */
export const noteSessionEnd = (error: Error): void => {
  if (isSignedOut(error)) sessionEnd.set(error.message)
}
