import { entryAt, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { MAX_ADDRESS_GPUS, MAX_CHANGE_GPUS } from '@/lib/schemas/api/gpu-limits'
import { newOrphansPath, newPassthroughPath, newTraitsPath, newTypePath } from '@/lib/util/paths'
import { filterText } from './filter-text'
import type { FilterParams } from './gpu-params'

/** Where changes of the selected are planned; or why they can't be. */
export type Tagging =
  | { path: string; typePath: string; passthroughPath: string; orphansPath: string; refusal: null }
  | { path: null; typePath: null; passthroughPath: null; orphansPath: null; refusal: string }

const refused = (refusal: string): Tagging => ({
  path: null,
  typePath: null,
  passthroughPath: null,
  orphansPath: null,
  refusal,
})

/** For more GPUs than an address takes: all that the filter matches. The type's page shows the types of the first. */
const pathsOfFilter = (
  filter: string,
  first: { host: string; address: string },
  cloud: string | null,
): Tagging => ({
  path: newTraitsPath({ cloud, filter }),
  typePath: newTypePath({ cloud, gpus: [first], filter }),
  passthroughPath: newPassthroughPath({ cloud, filter, to: 'whole' }),
  orphansPath: newOrphansPath({ cloud, filter }),
  refusal: null,
})

export const taggingOf = (
  store: GpuStore,
  { selected, shown }: { selected: Int32Array; shown: number },
  { cloud, params }: { cloud: string | null; params: FilterParams },
): Tagging => {
  if (selected.length > MAX_CHANGE_GPUS)
    return refused(`Select at most ${MAX_CHANGE_GPUS} pGPUs for one change.`)
  const { data, columns } = store
  const gpus = Array.from(selected, (row) => ({
    host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
    address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  }))
  const [first] = gpus
  if (first === undefined) return refused('Select pGPUs first.')
  if (gpus.length > MAX_ADDRESS_GPUS)
    return gpus.length === shown
      ? pathsOfFilter(filterText(params), first, cloud)
      : refused(`To change more than ${MAX_ADDRESS_GPUS} pGPUs, filter the list and select all shown pGPUs.`)
  return {
    path: newTraitsPath({ cloud, gpus }),
    typePath: newTypePath({ cloud, gpus }),
    passthroughPath: newPassthroughPath({ cloud, gpus, to: 'whole' }),
    orphansPath: newOrphansPath({ cloud, gpus }),
    refusal: null,
  }
}
