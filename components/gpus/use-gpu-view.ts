'use client'

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
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
import type { GpuParams } from './use-gpu-params'
import { useSettled } from './use-settled'

/** Milliseconds for a list to come with the key or click itself: its calculation, and all until its rows are in the document. */
const QUICK_MS = { calculation: 20, rows: 50 }
/** What is left of a slow one after each that was quicker. */
const MEMORY = 0.7
/** The list as it came, and the first other rows, which pay for indexes and cold code. */
const COLD_LISTS = 2
/** Rows compared, about those in sight. */
const IN_SIGHT = 30

/** Of this machine and its fleet, so it outlives the page. */
const known = { lists: 0, calculationMs: 0, rowsMs: 0 }
let beganAt: number | null = null

/** Calculates the rows, from where on their time counts. */
export const timed = <Result>(calculate: () => Result): Result => {
  const now = performance.now()
  if (beganAt === null) known.calculationMs = 0
  beganAt ??= now
  const result = calculate()
  known.calculationMs += performance.now() - now
  return result
}

/**
 * Whether most of the visible rows changed. If they did not, the time of the list is no measure for lists with new rows.
 */
export const areOthers = (rows: Int32Array, before: Int32Array | null): boolean => {
  const max = Math.min(IN_SIGHT, Math.max(rows.length, before?.length ?? 0))
  let same = 0
  for (let index = 0; index < max; index++) if (rows[index] === before?.[index]) same += 1
  return same < max / 2
}

/** The rows are in the document. */
export const keepTime = (now: number, isOther: boolean): void => {
  if (beganAt === null) return
  const rowsMs = now - beganAt
  beganAt = null
  if (!isOther) return
  known.lists += 1
  if (known.lists > COLD_LISTS) known.rowsMs = Math.max(rowsMs, known.rowsMs * MEMORY)
}

export const isQuick = (): boolean =>
  known.lists >= COLD_LISTS && known.calculationMs <= QUICK_MS.calculation && known.rowsMs <= QUICK_MS.rows

/**
 * The parameters of the displayed rows. A fast list is drawn in the frame of the key or click itself. For a slow one the
 * input is drawn first, and the rows follow when there is time.
 */
const useDisplayedParams = <Params extends object>(params: Params): Params => {
  const isNow = isQuick()
  const later = useDeferredValue(isNow ? null : params)
  return isNow ? params : (later ?? params)
}

/** Keeps how long these rows took. */
const useMeasuredTime = (rows: Int32Array | null): void => {
  const before = useRef<Int32Array | null>(null)
  useLayoutEffect(() => {
    if (rows === null) return
    keepTime(performance.now(), areOthers(rows, before.current))
    before.current = rows
  }, [rows])
}

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
  const { q, model, type, framework, aggregate, finding, holds, group, sort, desc } =
    useDisplayedParams(params)
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
  useMeasuredTime(list?.rows ?? null)
  return useMemo(
    () => (list === null ? null : { ...list, silentHosts, isAskingForServers: isAsking }),
    [list, silentHosts, isAsking],
  )
}
