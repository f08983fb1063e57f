import 'server-only'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { type GpuScope, gpuScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { isSilent } from '@/lib/services/fleet/silence'
import { describeStoredHost, type StoredHost } from '@/lib/services/stored-host/describe-stored-host'
import { noSuchGpu } from './no-such-gpu'

/** The version of the host's NVIDIA driver does not apply to a card that another driver uses. */
const driverVersionOf = (driver: string | null, { inventory }: StoredHost): string | null =>
  driver?.startsWith('nvidia') ? inventory.host.nvidiaDriverVersion : null

const mdevsOf = ({ description }: StoredHost, address: string): GpuDetail['mdevs'] =>
  description.mdevs
    ?.filter((mdev) => mdev.pgpuAddress === address)
    .map(({ pgpuAddress: _here, ...mdev }) => mdev) ?? null

/** One pGPU with all data of its host's last report. */
export const getGpu = async (ctx: ServiceContext, input: GpuScope): Promise<GpuDetail> => {
  requirePermission(ctx, 'fleet.read')
  const { host, address, ...scope } = parseInput(gpuScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const stored = await describeStoredHost(ctx, { cloud, host })
  const pgpu = stored.description.pgpus.find((candidate) => candidate.address === address)
  if (pgpu === undefined) throw noSuchGpu(stored, address)
  const { row } = stored
  const { vfDeviceId: _, ...shown } = pgpu
  return {
    cloud: cloud.name,
    host: row.name,
    seenAt: row.seenAt?.toISOString() ?? null,
    takenAt: row.takenAt?.toISOString() ?? null,
    isSilent: isSilent(ctx, row.seenAt),
    ...shown,
    driverVersion: driverVersionOf(pgpu.driver, stored),
    mdevs: mdevsOf(stored, address),
  }
}
