import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { RequestFacts } from '@/lib/server/session/request-facts'
import { signInCloud } from './sign-in-cloud'
import { type StartedSession, startSession } from './start-session'

/** Opens a session with the unscoped token that Keystone gave after WebSSO. */
export const finishWebSso = async (
  ctx: ServiceContext,
  {
    cloud: name,
    tokenId,
    facts,
    replaces,
  }: {
    cloud: string
    tokenId: string
    facts: Pick<RequestFacts, 'address' | 'agent'>
    replaces: string | null
  },
): Promise<StartedSession> => {
  const { cloud } = signInCloud(ctx, name)
  const token = await cloud.keystone.validate({ tokenId })
  if (token === null) {
    throw new ServiceError(
      'unauthorized',
      'The token that came back from the identity provider is not valid. Sign in again.',
    )
  }
  return startSession(ctx, { cloud: name, token, method: 'websso', facts, replaces })
}
