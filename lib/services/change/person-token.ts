import 'server-only'
import { actorLabel } from '@/lib/domain/wording'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { sessionEnd } from '@/lib/server/session/session-state'
import { findSessionById } from '@/lib/server/session/session-store'
import { openToken } from '@/lib/server/session/session-tokens'
import type { ChangeRow } from './change-rows'
import { SignInEnded } from './sign-in-ended'

/** The token that calls of a person carry, for the project of the sign-in. */
export const personToken = async (
  { database, signIn, now }: ServiceContext,
  { sessionId, runBy }: Pick<ChangeRow, 'sessionId' | 'runBy'>,
): Promise<string> => {
  const who = runBy === null ? 'the person who started it' : actorLabel(runBy)
  const row = sessionId === null ? null : await findSessionById(database, sessionId)
  // An idle session ends for the browser only: its token stays valid, and the person requested the change.
  const end = row === null || signIn === null ? null : sessionEnd(row, signIn, now())
  if (row === null || signIn === null || (end !== null && end.reason !== 'idle'))
    throw new SignInEnded(`The sign-in of ${who} has ended, and the change runs with it.`)
  if (row.scopeKind !== 'project')
    throw new SignInEnded(`${who} has switched to the system, but Placement requires a project-scoped token.`)
  const token = openToken(signIn, row, 'scoped')
  if (token === null) throw new SignInEnded(`The token of ${who} can no longer be read.`)
  return token
}
