import 'server-only'
import type * as z from 'zod/v4/core'
import { filterGpus } from '@/lib/domain/gpu-list/filter-gpus'
import { entryAt } from '@/lib/domain/gpu-list/gpu-store'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import type { gpuFilterSchema } from '@/lib/schemas/api/gpu-filter'
import { SEARCH_TEXT } from '@/lib/schemas/api/search-text'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import { findGuests } from '@/lib/services/search/find-guests'

/** GPUs of servers whose name has the text, as the page of the list requests them. */
const gpusOfServers = async (ctx: ServiceContext, cloud: Cloud, q: string): Promise<ChangeTarget[]> => {
  const text = q.trim().slice(0, SEARCH_TEXT.mostCharacters).toLowerCase()
  if (text.length < SEARCH_TEXT.fewestCharacters) return []
  const guests = await findGuests(ctx, { cloud, text })
  return guests.flatMap(({ host, pgpuAddresses }) => pgpuAddresses.map((address) => ({ host, address })))
}

/** The GPUs that the list shows with a filter, by the functions of the list. */
export const filteredGpus = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { q, model, type, framework, aggregate, finding, holds }: z.output<typeof gpuFilterSchema>,
): Promise<ChangeTarget[]> => {
  const { fleet, silence } = await readFleetView(ctx, cloud)
  const store = fleet.encoded.store()
  const rows = filterGpus(
    store,
    {
      ...{ text: q, models: model, types: type, frameworks: framework },
      ...{ aggregates: aggregate, finding, holding: holds },
    },
    {
      silentHosts: new Set(silence.silent.map(({ name }) => name)),
      serverGpus: await gpusOfServers(ctx, cloud, q),
    },
  )
  const { data, columns } = store
  return Array.from(rows, (row) => ({
    host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
    address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  }))
}
