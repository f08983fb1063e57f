import 'server-only'
import { personSession } from '@/lib/openstack/session/person-session'
import type { OpenStackSession } from '@/lib/openstack/session/types'
import type { ProjectMember } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { ownProjectToken } from '@/lib/services/session/own-session'

/**
 * OpenStack as the person who asks: each request carries the Keystone token of the person's session, for its project. The
 * account of the console only finds the addresses in the catalog.
 */
export const ownOpenStack = async (
  ctx: ServiceContext,
  { cloud, scope }: ProjectMember,
): Promise<OpenStackSession> => {
  const account = ctx.accounts.find((one) => one.cloud === cloud)
  if (account === undefined)
    throw new ServiceError(
      'unavailable',
      `The cloud ${cloud} is not configured. Ask an admin of the console.`,
    )
  return personSession(account, await ownProjectToken(ctx, scope.id))
}
