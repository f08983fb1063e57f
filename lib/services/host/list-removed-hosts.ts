import 'server-only'
import type { RemovedHostList } from '@/lib/schemas/api/host-removal'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listRemovedRows } from '@/lib/services/stored-host/removed-host-rows'

/** The removed hosts of a cloud, the last removed first. */
export const listRemovedHosts = async (ctx: ServiceContext, input: CloudScope): Promise<RemovedHostList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  return { cloud: cloud.name, hosts: await listRemovedRows(ctx.database, cloud.id) }
}
