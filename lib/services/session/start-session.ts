import type { SignInMethod } from '@/lib/schemas/states'
import 'server-only'
import type { Token } from '@/lib/openstack/keystone/types'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findSignInCloud } from '@/lib/server/context/sign-in'
import type { Connection } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import { newSessionId, sessionHash } from '@/lib/server/secrets/session-secrets'
import { actorName, sessionActor } from '@/lib/server/session/account-actor'
import type { RequestFacts } from '@/lib/server/session/request-facts'
import { findSession, insertSession, setSessionScope } from '@/lib/server/session/session-store'
import { sealToken } from '@/lib/server/session/session-tokens'
import { endAll } from './end-sessions'
import { readScopes } from './read-scopes'
import { signInCloud } from './sign-in-cloud'
import { tokenRefused } from './sign-in-error'
import { type TakenScope, takeScope } from './take-scope'

/** `id` goes into the cookie and nowhere else. */
export type StartedSession = { id: string; isScoped: boolean }

type Input = {
  cloud: string
  token: Token
  method: SignInMethod
  facts: Pick<RequestFacts, 'address' | 'agent'>
  /** The session's cookie that the browser came with. */
  replaces: string | null
}

/** The one scope that an account has, or null when there is a choice. */
const onlyScope = async (ctx: ServiceContext, { cloud: name, token }: Input): Promise<TakenScope | null> => {
  const { signIn, cloud } = signInCloud(ctx, name)
  const scopes = await readScopes(cloud, { tokenId: token.id, owner: token.user }).catch((error: unknown) => {
    throw tokenRefused(error, name)
  })
  const [first, ...others] = scopes
  if (first === undefined) {
    throw new ServiceError(
      'forbidden',
      `${token.user.name} has signed in, but has no role on any project of ${name}: ask an admin of the cloud for one.`,
    )
  }
  if (others.length > 0) return null
  return takeScope({ signIn, cloud, unscopedId: token.id, choice: first, now: ctx.now() })
}

const insert = async (
  ctx: ServiceContext,
  connection: Connection,
  { cloud: name, token, method, facts, taken }: Input & { taken: TakenScope | null },
): Promise<string> => {
  const { signIn } = signInCloud(ctx, name)
  const { secret, hash } = newSessionId()
  const now = ctx.now()
  const unscopedToken = sealToken(signIn, { hash, kind: 'unscoped', tokenId: token.id })
  const user = { userId: token.user.id, userName: token.user.name, userDomain: token.user.domainName }
  const id = await insertSession(connection, {
    hash,
    cloud: name,
    ...user,
    userDomainId: token.user.domainId,
    method,
    unscopedToken,
    tokenExpiresAt: new Date(now.getTime() + token.remainingMs),
    address: facts.address,
    agent: facts.agent,
    expiresAt: new Date(now.getTime() + signIn.longestMs),
    now,
  })
  if (taken !== null) {
    const scopedToken = sealToken(signIn, { hash, kind: 'scoped', tokenId: taken.tokenId })
    await setSessionScope(connection, { id, ...taken, hash, oldHash: hash, scopedToken, unscopedToken, now })
  }
  await writeAudit(connection.query, {
    at: now,
    actor: { kind: 'user', name: actorName(user), roles: [] },
    cloud: name,
    action: 'session.create',
    subject: `session:${id}`,
    before: null,
    after: {
      cloud: name,
      method,
      address: facts.address,
      scope: taken?.scope ?? null,
      role: taken?.role ?? null,
    },
  })
  return secret
}

/** Ends the session that the browser had before: its cookie is replaced, so the person could not sign out of it. */
const endReplaced = async (ctx: ServiceContext, cookie: string | null): Promise<void> => {
  const hash = cookie === null ? null : sessionHash(cookie)
  const row = hash === null ? undefined : await findSession(ctx.database.query, hash)
  if (row === undefined || row.endedAt !== null || ctx.signIn === null) return
  if (findSignInCloud(ctx.signIn, row.cloud) === undefined) return
  await endAll({ ...ctx, actor: sessionActor(row) }, [row], row)
}

/**
 * Starts a session with a new id for a user whom Keystone has authenticated, and ends the browser's previous one. Without
 * a usable role nothing is stored.
 */
export const startSession = async (ctx: ServiceContext, input: Input): Promise<StartedSession> => {
  const taken = await onlyScope(ctx, input)
  const id = await ctx.database.transaction((connection) => insert(ctx, connection, { ...input, taken }))
  const { cloud, token, method, facts } = input
  ctx.log.info(
    { user: token.user.name, domain: token.user.domainName, cloud, method, address: facts.address },
    'Signed in',
  )
  await endReplaced(ctx, input.replaces)
  return { id, isScoped: taken !== null }
}
