import 'server-only'
import { type Action, describeRefusal, isAllowed } from '@/lib/domain/permissions'
import type { ServiceContext } from './service-context'
import { ServiceError } from './service-error'

/** The first line of every service. The system may do everything, an agent nothing of this table. */
export const requirePermission = ({ actor }: Pick<ServiceContext, 'actor'>, action: Action): void => {
  if (actor.kind === 'system') return
  if (actor.kind === 'user' && isAllowed({ roles: actor.roles, action })) return
  throw new ServiceError('forbidden', describeRefusal(action))
}
