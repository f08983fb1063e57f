import { entryAt, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { MOST_CHANGE_GPUS } from '@/lib/schemas/api/change-limits'
import { newOrphansPath, newTraitsPath, newTypePath } from '@/lib/util/paths'

/** Where changes of the selected are planned; or why they can't be. */
export type Tagging =
  | { path: string; typePath: string; orphansPath: string; refusal: null }
  | { path: null; typePath: null; orphansPath: null; refusal: string }

export const taggingOf = (store: GpuStore, rows: Int32Array, cloud: string | null): Tagging => {
  if (rows.length === 0)
    return {
      path: null,
      typePath: null,
      orphansPath: null,
      refusal: 'Select the pGPUs first.',
    }
  if (rows.length > MOST_CHANGE_GPUS)
    return {
      path: null,
      typePath: null,
      orphansPath: null,
      refusal: `One change takes at most ${MOST_CHANGE_GPUS} pGPUs: select fewer.`,
    }
  const { data, columns } = store
  const gpus = Array.from(rows, (row) => ({
    host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
    address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  }))
  return {
    path: newTraitsPath({ cloud, gpus }),
    typePath: newTypePath({ cloud, gpus }),
    orphansPath: newOrphansPath({ cloud, gpus }),
    refusal: null,
  }
}
