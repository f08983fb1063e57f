'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useSilentHosts } from '@/components/shell/use-silent-hosts'
import { searchOptions } from '@/lib/api/search'
import { type Arranged, arrangeGpus, type GpuGroup, type Grouping } from '@/lib/domain/gpu-list/arrange-gpus'
import { filterGpus } from '@/lib/domain/gpu-list/filter-gpus'
import { type FirstGpus, firstAsList } from '@/lib/domain/gpu-list/first-list'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { type GroupFigures, groupFigures } from '@/lib/domain/gpu-list/group-figures'
import { type GpuSums, sumGpus } from '@/lib/domain/gpu-list/sum-gpus'
import { filterOf } from './gpu-params'
import { timed, useAskedRows, useKeptTime } from './use-asked-rows'
import type { GpuParams } from './use-gpu-params'
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

/** What is drawn: the whole list, or its beginning as it came with the page. */
type GpuList = Arranged & {
  store: GpuStore
  grouping: Grouping
  sums: GpuSums
  /** Null: not known yet, of groups below the first lines. */
  figuresOf: (group: GpuGroup) => GroupFigures | null
  /** False: the rows after the first are on their way. */
  isWhole: boolean
}

export type GpuView = GpuList & {
  silentHosts: ReadonlyMap<string, string | null>
  /** The server is being asked which pGPUs servers of that name use. */
  isAskingForServers: boolean
}

const firstList = (first: FirstGpus): GpuList => {
  const { store, arranged } = firstAsList(first)
  const figures = new Map<GpuGroup, GroupFigures | null>(first.groups.map((group) => [group, group.figures]))
  const { sums, grouping } = first
  return {
    ...arranged,
    store,
    grouping,
    sums,
    figuresOf: (group) => figures.get(group) ?? null,
    isWhole: false,
  }
}

/** The list by the search params. */
export const useGpuView = ({
  whole,
  first,
  params,
}: {
  whole: GpuStore | null
  first: FirstGpus | null
  params: GpuParams
}): GpuView | null => {
  const { q, model, type, framework, aggregate, finding, holds, group, sort, desc } = useAskedRows(params)
  const silentHosts = useSilentHosts()
  const { gpus: serverGpus, isAsking } = useServerGpus(q)
  const filtered = useMemo(() => {
    if (whole === null) return null
    const filter = filterOf({ q, model, type, framework, aggregate, finding, holds })
    return timed(() => {
      const rows = filterGpus(whole, filter, { silentHosts, serverGpus })
      // The same for any order, so that sorting does not sum again.
      const figures = new Map<string, GroupFigures>()
      return { store: whole, rows, sums: sumGpus(whole, rows, { silentHosts }), figures }
    })
  }, [whole, q, model, type, framework, aggregate, finding, holds, silentHosts, serverGpus])
  const list = useMemo((): GpuList | null => {
    if (filtered === null) return first === null ? null : firstList(first)
    const { store, rows, sums, figures } = filtered
    const arranged = timed(() =>
      arrangeGpus(store, rows, { grouping: group, sort: { column: sort, isDescending: desc } }),
    )
    const figuresOf = (one: GpuGroup): GroupFigures => {
      const key = `${group} ${one.entry}`
      const known =
        figures.get(key) ?? groupFigures(store, arranged, { group: one, grouping: group, silentHosts })
      figures.set(key, known)
      return known
    }
    return { ...arranged, store, grouping: group, sums, figuresOf, isWhole: true }
  }, [filtered, first, group, sort, desc, silentHosts])
  useKeptTime(list?.rows ?? null)
  return useMemo(
    () => (list === null ? null : { ...list, silentHosts, isAskingForServers: isAsking }),
    [list, silentHosts, isAsking],
  )
}
