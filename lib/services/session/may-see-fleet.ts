import 'server-only'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { ServiceContext } from '@/lib/server/context/service-context'

/** Whether the person may open the admin pages; the services decide what they contain. */
export const maySeeFleet = ({ actor }: Pick<ServiceContext, 'actor'>): boolean =>
  actor.kind === 'user' && isAllowed({ roles: actor.roles, action: 'fleet.read' })
