import 'server-only'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Account, Actor } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { sessionEndSentence } from './session-end-sentence'
import { type SessionEnd, sessionEnd } from './session-state'
import { findSession } from './session-store'

// SQL: every request that writes waits for it.
const HELD = 'SELECT 1 FROM api_token WHERE id = $1 AND revoked_at IS NULL AND expires_at > $2::timestamptz'

const endedConcurrently = (end: SessionEnd | null): ServiceError =>
  new ServiceError('unauthorized', `${sessionEndSentence(end)} Sign in to continue.`)

const checkSource = async ({ database, signIn, now }: Runtime, source: Account['source']): Promise<void> => {
  if (source.kind === 'api-token') {
    if ((await database.query(HELD, [source.apiTokenId, now()])).length === 0)
      throw new ServiceError(
        'unauthorized',
        'The API token was revoked, or expired, while its request came in.',
      )
    return
  }
  const row = signIn === null ? undefined : await findSession(database.query, source.sessionHash)
  const end = row === undefined || signIn === null ? null : sessionEnd(row, signIn, now())
  if (row === undefined || end !== null) throw endedConcurrently(end)
}

/**
 * Checks the caller again before anything is done, because the credential may have been revoked while the body arrived,
 * which may take half a minute. Throws `unauthorized`.
 */
export const requireStillKnown = async (runtime: Runtime, actor: Actor): Promise<void> => {
  const source = actor.kind === 'user' ? actor.account?.source : undefined
  if (source !== undefined) await checkSource(runtime, source)
}
