import 'server-only'
import type { Runtime } from '@/lib/server/context/runtime'
import { type Actor, LOCAL_ADMIN } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { sessionHash } from '@/lib/server/secrets/session-secrets'
import { sessionActor } from './account-actor'
import { findApiTokenActor } from './find-api-token'
import type { RequestFacts } from './request-facts'
import { readSessionCookie } from './session-cookie'
import { sessionEndSentence } from './session-end-sentence'
import { type SessionEnd, sessionEnd } from './session-state'
import { findSession, touchSession } from './session-store'
import { watchSession } from './watch-session'

export type Caller =
  /** `choosing`: signed in, but no project and not the system chosen yet. */
  { state: 'known' | 'choosing'; actor: Actor } | { state: 'unknown'; end: SessionEnd | null }

const bearerOf = (authorization: string | null): string | null =>
  /^Bearer +(\S{1,512})$/i.exec(authorization ?? '')?.[1] ?? null

/**
 * The caller of a request: an API token takes precedence over a cookie. An invalid API token is an error; a missing or
 * ended session is a result. A caller above the request limit of an account gets the error `limit`.
 */
export const findCaller = async (runtime: Runtime, facts: RequestFacts): Promise<Caller> => {
  const { signIn, database } = runtime
  if (signIn === null) return { state: 'known', actor: LOCAL_ADMIN }
  const now = runtime.now()
  const token = bearerOf(facts.authorization)
  if (token !== null) {
    const actor = await findApiTokenActor(database.query, { token, address: facts.address, now })
    signIn.requests.count(actor)
    return { state: 'known', actor }
  }
  const cookie = readSessionCookie(runtime.env, facts.cookie)
  const hash = cookie === null ? null : sessionHash(cookie)
  const row = hash === null ? undefined : await findSession(database.query, hash)
  if (row === undefined) return { state: 'unknown', end: null }
  const end = sessionEnd(row, signIn, now)
  if (end !== null) return { state: 'unknown', end }
  const actor = sessionActor(row)
  signIn.requests.count(actor)
  if (!facts.isBackground) await touchSession(database, row, now)
  watchSession(runtime, signIn, row)
  return { state: row.scopeKind === null ? 'choosing' : 'known', actor }
}

/** A person who has signed in, with or without a chosen scope. Throws `unauthorized` with the reason. */
export const requireSignedIn = async (runtime: Runtime, facts: RequestFacts): Promise<Actor> => {
  const caller = await findCaller(runtime, facts)
  if (caller.state !== 'unknown') return caller.actor
  throw new ServiceError('unauthorized', `${sessionEndSentence(caller.end)} Sign in to go on.`)
}

/** The actor of a request to an admin page: a person with a role. Throws `unauthorized` with the reason. */
export const requireActor = async (runtime: Runtime, facts: RequestFacts): Promise<Actor> => {
  const actor = await requireSignedIn(runtime, facts)
  if (actor.kind !== 'user' || actor.roles.length > 0) return actor
  throw new ServiceError('unauthorized', 'Choose a project or the system before you go on.')
}
