import 'server-only'
import { type GpuColumns, gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import type { EncodedFleet } from '@/lib/services/fleet/encode-fleet'
import { fleetOfCloud } from '@/lib/services/fleet/fleet-of-cloud'

/** All pGPUs of a cloud as bytes that are made once per content: what the route sends. */
export const listGpusEncoded = async (ctx: ServiceContext, input: CloudScope): Promise<EncodedFleet> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  return (await fleetOfCloud(ctx, cloud)).encoded
}

/** The same as an object, for callers in the process. */
export const listGpus = async (ctx: ServiceContext, input: CloudScope): Promise<GpuColumns> => {
  const { identity } = await listGpusEncoded(ctx, input)
  return gpuColumnsSchema.parse(JSON.parse(identity.toString()))
}
