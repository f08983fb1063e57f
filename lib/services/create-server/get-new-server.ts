import 'server-only'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { NewServerStatus } from '@/lib/schemas/api/create-server'
import { type OwnServerParams, ownServerParamsSchema } from '@/lib/schemas/api/create-server-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { describeFailure, isSignInEnd, signInEnded } from './describe-failure'
import { limitReads } from './limit-reads'
import { ownOpenStack } from './own-openstack'

/** The status of a server of the project, read now with the person's token: reading rounds see it only on its host. */
export const getNewServer = async (ctx: ServiceContext, input: OwnServerParams): Promise<NewServerStatus> => {
  requirePermission(ctx, 'server.choose')
  const member = requireProject(ctx)
  const { uuid } = parseInput(ownServerParamsSchema, input)
  limitReads(member)
  const nova = createNova({ account: await ownOpenStack(ctx, member) })
  try {
    const server = await nova.getServer(uuid)
    // Nova shows an admin the servers of all projects.
    if (server === null || server.projectId !== member.scope.id)
      throw new ServiceError('not_found', `Your project has no server ${uuid}.`)
    return { uuid, name: server.name, status: server.status, fault: server.fault }
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    if (isSignInEnd(error)) throw signInEnded()
    ctx.log.warn({ err: error }, 'The status of a new server could not be read')
    throw new ServiceError('unavailable', `The status cannot be read: ${describeFailure(error)}.`)
  }
}
