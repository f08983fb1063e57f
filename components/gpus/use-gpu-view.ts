'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useDeferredValue, useMemo } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useSilentHosts } from '@/components/shell/use-silent-hosts'
import { searchOptions } from '@/lib/api/search'
import type { GpuColumns } from '@/lib/schemas/api/fleet'
import { type Arranged, arrangeGpus, type Grouping } from './arrange-gpus'
import { filterGpus, type GpuFilter } from './filter-gpus'
import { gpuSearchParams } from './gpu-search-params'
import { createGpuStore, type GpuStore } from './gpu-store'
import { useSettled } from './use-settled'

type ServerGpu = { host: string; address: string }

const NONE: readonly ServerGpu[] = []
const SETTLED_MS = 250

/** pGPUs of servers whose name matches; asked of the server, because the list does not carry servers' names. */
const useServerGpus = (text: string): { gpus: readonly ServerGpu[]; isAsking: boolean } => {
  const { cloud } = useCloud()
  const settled = useSettled(text, SETTLED_MS)
  const { data, isPlaceholderData, isFetching } = useQuery(searchOptions({ cloud, text: settled }))
  const isCurrent = data !== undefined && !isPlaceholderData && settled === text && text !== ''
  const gpus = useMemo(
    () =>
      isCurrent
        ? data.guests.flatMap(({ host, pgpuAddresses }) =>
            pgpuAddresses.map((address) => ({ host, address })),
          )
        : NONE,
    [isCurrent, data],
  )
  return { gpus, isAsking: settled !== text || isFetching }
}

export type GpuView = Arranged & {
  store: GpuStore
  grouping: Grouping
  silentHosts: ReadonlyMap<string, string | null>
  /** The server is being asked which pGPUs servers of that name use. */
  isAskingForServers: boolean
}

/** The list as the address asks for it. Typing stays quick: the rows follow the text when there is time. */
export const useGpuView = (data: GpuColumns): GpuView => {
  const [params] = useQueryStates(gpuSearchParams)
  const { q, model, type, framework, aggregate, finding, holds, group, sort, desc } = useDeferredValue(params)
  const silentHosts = useSilentHosts()
  const { gpus: serverGpus, isAsking } = useServerGpus(q)
  const store = useMemo(() => createGpuStore(data), [data])
  const filtered = useMemo(() => {
    const filter: GpuFilter = {
      text: q,
      models: model,
      types: type,
      frameworks: framework,
      aggregates: aggregate,
      finding,
      holding: holds,
    }
    return filterGpus(store, filter, { silentHosts: new Set(silentHosts.keys()), serverGpus })
  }, [store, q, model, type, framework, aggregate, finding, holds, silentHosts, serverGpus])
  const arranged = useMemo(
    () => arrangeGpus(store, filtered, { grouping: group, sort: { column: sort, isDescending: desc } }),
    [store, filtered, group, sort, desc],
  )
  return useMemo(
    () => ({ ...arranged, store, grouping: group, silentHosts, isAskingForServers: isAsking }),
    [arranged, store, group, silentHosts, isAsking],
  )
}
