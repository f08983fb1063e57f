import 'server-only'
import { previewReboot, type RebootPreview } from '@/lib/domain/cloud/preview-reboot'
import type { HostReboot } from '@/lib/schemas/api/reboot'
import { type HostScope, hostScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud, neverReadFacts } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinStoredHost } from '@/lib/services/cloud-reading/join-stored-host'
import { isSilent } from '@/lib/services/fleet/silence'
import { describeStoredHost } from '@/lib/services/stored-host/describe-stored-host'

const previewOf = ({
  novaCompute,
  servers,
  unwanted,
  cardsThatNeedVfs,
}: RebootPreview): HostReboot['preview'] => ({
  novaCompute: { isStarting: novaCompute.isStarting, because: novaCompute.because },
  servers: servers.map(({ isByRelease: _, pgpuAddresses, mdevUuids, ...server }) => ({
    ...server,
    pgpuAddresses: [...pgpuAddresses],
    mdevUuids: [...mdevUuids],
  })),
  unwanted: unwanted === null ? null : [...unwanted],
  cardsThatNeedVfs: [...cardsThatNeedVfs],
})

/** What would be missing after a reboot of a host, and which unexpected mdevs would be recreated. */
export const getHostReboot = async (ctx: ServiceContext, input: HostScope): Promise<HostReboot> => {
  requirePermission(ctx, 'fleet.read')
  const { host, ...scope } = parseInput(hostScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const stored = await describeStoredHost(ctx, { cloud, host })
  const facts = (await factsOfCloud(ctx, cloud))?.facts ?? neverReadFacts(ctx, cloud)
  const fleet = joinStoredHost(ctx, { facts, stored })
  const [joined] = fleet.hosts
  const preview = joined === undefined ? null : previewReboot(fleet, joined)
  return {
    cloud: cloud.name,
    host: stored.row.name,
    seenAt: stored.row.seenAt?.toISOString() ?? null,
    isSilent: isSilent(ctx, stored.row.seenAt),
    novaVersion: facts.versions.nova,
    computeVersion: joined?.host.inventory.host.novaCompute?.version ?? null,
    preview: preview === null ? null : previewOf(preview),
  }
}
