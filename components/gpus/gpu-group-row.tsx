'use client'

import Link from 'next/link'
import { memo, useMemo } from 'react'
import { formatCount, formatMib, formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'
import type { GpuGroup, Grouping } from './arrange-gpus'
import { aggregateSetWords, numberAt } from './gpu-store'
import { silentMask, sumGpus } from './sum-gpus'
import type { GpuView } from './use-gpu-view'

const nameOf = ({ store: { data } }: GpuView, grouping: Grouping, { entry }: GpuGroup): string => {
  if (entry === null)
    return grouping === 'aggregate' ? 'Aggregates not known' : 'No type yet, or handed out whole'
  if (grouping === 'host') return data.hosts[entry] ?? ''
  if (grouping === 'type') return data.types[entry]?.shortName ?? ''
  if (grouping === 'aggregate') return aggregateSetWords(data.aggregateSets[entry] ?? [])
  return data.models[entry] ?? ''
}

/** Memory of the group's cards when they all have the same. */
const memoryOf = ({ store, rows }: GpuView, { start, end }: GpuGroup): number | null => {
  const column = store.columns.framebufferMib
  const first = numberAt(column, rows[start] ?? -1)
  for (let place = start; place < end; place++) {
    if (numberAt(column, rows[place] ?? -1) !== first) return null
  }
  return first
}

const noteOf = (view: GpuView, grouping: Grouping, group: GpuGroup, total: number): string => {
  const { store, rows, silentHosts } = view
  const isSilent = silentMask(store, new Set(silentHosts.keys()))
  const sums = sumGpus(store, rows, { isSilent, start: group.start, end: group.end })
  const memory = grouping === 'model' ? memoryOf(view, group) : null
  const shown =
    sums.pgpus === total
      ? formatNoun(sums.pgpus, 'pGPU')
      : `${sums.pgpus} of ${formatNoun(total, 'pGPU')} shown`
  return [
    memory === null ? null : formatMib(memory),
    shown,
    sums.used === null || sums.capacity === null
      ? `vGPUs unknown: ${sums.unknownReason}`
      : `${formatCount(sums.used)} of ${formatNoun(sums.capacity, 'vGPU')} used`,
    sums.stranded === null || sums.stranded === 0 ? null : `${formatCount(sums.stranded)} stranded`,
    sums.silent === 0 || sums.used === null ? null : `${sums.silent} silent`,
    sums.unknown === sums.silent || sums.used === null ? null : `${sums.unknown - sums.silent} unknown`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

const GroupRow = ({
  view,
  grouping,
  group,
  line,
  cloud,
  total,
}: {
  view: GpuView
  grouping: Grouping
  group: GpuGroup
  line: number
  cloud: string | null
  /** pGPUs of the group without the filter. */
  total: number
}) => {
  const name = nameOf(view, grouping, group)
  const note = useMemo(() => noteOf(view, grouping, group, total), [view, grouping, group, total])
  return (
    <tr aria-rowindex={line + 2} className="h-9 bg-bg max-md:block">
      <th
        scope="rowgroup"
        colSpan={8}
        className="truncate border-line border-b pr-2.5 pl-[46px] text-left font-semibold max-md:block max-md:h-9 max-md:pl-2.5 max-md:leading-9"
      >
        {grouping === 'host' ? (
          <Link href={hostPath({ cloud, host: name })} prefetch={false} className="hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
        <small className="ml-2 font-[450] text-ink2 text-small">{note}</small>
      </th>
    </tr>
  )
}

/** The heading of a group. Its sums go over all of its rows, so it is drawn again only when these change. */
export const GpuGroupRow = memo(GroupRow)
