import 'server-only'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { ServiceContext } from '@/lib/server/context/service-context'

/** Whether the console's rooms are for the person at all; what stands in them the services decide. */
export const maySeeFleet = ({ actor }: Pick<ServiceContext, 'actor'>): boolean =>
  actor.kind === 'user' && isAllowed({ roles: actor.roles, action: 'fleet.read' })
