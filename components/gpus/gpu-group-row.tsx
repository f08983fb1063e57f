'use client'

import Link from 'next/link'
import { memo, useMemo } from 'react'
import { unitNote } from '@/components/gpu/unit-note'
import type { GpuGroup } from '@/lib/domain/gpu-list/arrange-gpus'
import { aggregateSetWords } from '@/lib/domain/gpu-list/gpu-store'
import type { GroupFigures } from '@/lib/domain/gpu-list/group-figures'
import { formatMib, formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'
import type { GpuView } from './use-gpu-view'

const nameOf = ({ store: { data }, grouping }: GpuView, { entry }: GpuGroup): string => {
  if (entry === null)
    return grouping === 'aggregate' ? 'Aggregates unknown' : 'No vGPU type, or PCI passthrough'
  if (grouping === 'host') return data.hosts[entry] ?? ''
  if (grouping === 'type') return data.types[entry]?.shortName ?? ''
  if (grouping === 'aggregate') return aggregateSetWords(data.aggregateSets[entry] ?? [])
  return data.models[entry] ?? ''
}

const noteOf = ({ sums, memoryMib, total }: GroupFigures): string => {
  const shown =
    sums.pgpus === total
      ? formatNoun(sums.pgpus, 'pGPU')
      : `${sums.pgpus} of ${formatNoun(total, 'pGPU')} shown`
  return [
    memoryMib === null ? null : formatMib(memoryMib),
    shown,
    unitNote(sums.totals, 'vGPU', 'vGPUs'),
    unitNote(sums.passthrough, 'passthrough GPU', 'passthrough GPUs'),
    sums.silent === 0 ? null : `${formatNoun(sums.silent, 'pGPU')} last known`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

const GroupRow = ({
  view,
  group,
  line,
  cloud,
  top,
  height,
}: {
  view: GpuView
  group: GpuGroup
  line: number
  cloud: string | null
  /** Of the group with its rows, in pixels; null: on paper. */
  top: number | null
  height: number
}) => {
  const { grouping } = view
  const name = nameOf(view, group)
  const note = useMemo(() => {
    const figures = view.figuresOf(group)
    return figures === null ? null : noteOf(figures)
  }, [view, group])
  return (
    <tr aria-rowindex={line + 2} className="gpu-group" style={top === null ? {} : { top, height }}>
      <th scope="rowgroup">
        {grouping === 'host' ? (
          <Link href={hostPath({ cloud, host: name })} prefetch={false} className="hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
        <small>{note}</small>
      </th>
    </tr>
  )
}

/** The heading of a group. Its sums go over all of its rows, so it is drawn again only when these change. */
export const GpuGroupRow = memo(GroupRow)
