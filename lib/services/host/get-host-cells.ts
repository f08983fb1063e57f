import 'server-only'
import type { HostCells } from '@/lib/schemas/api/gpu'
import { type HostScope, hostScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { describeStoredHost } from '@/lib/services/stored-host/describe-stored-host'

/** Who sits in the cells of a host's pGPUs. */
export const getHostCells = async (ctx: ServiceContext, input: HostScope): Promise<HostCells> => {
  requirePermission(ctx, 'fleet.read')
  const { host, ...scope } = parseInput(hostScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const { row, description } = await describeStoredHost(ctx, { cloud, host })
  return { host: row.name, pgpus: description.pgpus.map(({ address, cells }) => ({ address, cells })) }
}
