import 'server-only'
import { firstGpus, type GpuListing } from '@/lib/domain/gpu-list/first-gpus'
import type { FirstGpus } from '@/lib/domain/gpu-list/first-list'
import type { Freshness } from '@/lib/schemas/api/fleet'
import type { CloudScope } from '@/lib/schemas/api/scope'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { listGpusEncoded } from './list-gpus'

/** The first rows of a cloud's list for a page. `freshness` contains the sources with old data. */
export const getFirstGpus = async (
  ctx: ServiceContext,
  input: CloudScope,
  { listing, freshness }: { listing: GpuListing; freshness: Pick<Freshness, 'silentHosts'> },
): Promise<FirstGpus> => {
  const fleet = await listGpusEncoded(ctx, input)
  return firstGpus(fleet.store(), listing, {
    silentHosts: new Map(freshness.silentHosts.map(({ host, seenAt }) => [host, seenAt])),
  })
}
