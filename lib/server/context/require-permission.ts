import 'server-only'
import { describeRefusal } from '@/lib/domain/access/describe-refusal'
import type { Action } from '@/lib/domain/access/permissions'
import { type Caller, whyRefused } from '@/lib/domain/access/token-access'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Actor, ServiceContext } from './service-context'

const callerOf = (actor: Extract<Actor, { kind: 'user' }>): Caller => {
  const source = actor.account?.source
  return { roles: actor.roles, apiToken: source?.kind === 'api-token' ? source.access : undefined }
}

/** The first line of every service. The system may do everything, an agent nothing of this table. */
export const requirePermission = ({ actor }: Pick<ServiceContext, 'actor'>, action: Action): void => {
  if (actor.kind === 'system') return
  if (actor.kind !== 'user') throw new ServiceError('forbidden', describeRefusal(action))
  const refusal = whyRefused({ ...callerOf(actor), action })
  if (refusal !== null) throw new ServiceError('forbidden', refusal)
}

/** The caller's session: for actions that affect only this session, with any role and before a role is chosen. */
export const requireSession = ({
  actor,
}: Pick<ServiceContext, 'actor'>): { sessionId: number; sessionHash: string } => {
  const source = actor.kind === 'user' ? actor.account?.source : undefined
  if (source?.kind === 'session') return source
  throw new ServiceError('unauthorized', 'This requires a browser session. Sign in first.')
}
