'use client'

import { memo } from 'react'
import { frameworkWords } from '@/components/gpu/gpu-words'
import { VgpuBar } from '@/components/gpu/vgpu-bar'
import { SilentTag } from '@/components/shell/silent-tag'
import { Unknown } from '@/components/ui/key-values'
import { SeverityText } from '@/components/ui/severity-text'
import { noTypeWords } from '@/lib/domain/fleet/no-type-words'
import { classNames } from '@/lib/util/class-names'
import { gpuPath } from '@/lib/util/paths'
import { PlacementNote, ServiceTag, StrandedNote } from './cloud-words'
import { type GpuRow, type GpuStore, gpuRowAt, isCloudRead } from './gpu-store'
import { placementWord } from './placement-word'

const cell = 'truncate border-line2 border-b px-2.5 max-md:border-0 max-md:px-0'

const UsedOf = ({ used, capacity, reason }: GpuRow) =>
  used === null && capacity === null ? (
    <Unknown reason={reason} />
  ) : (
    <>
      {used ?? <Unknown reason={reason} />} / {capacity ?? <Unknown reason={reason} />}
    </>
  )

type GpuTableRowProps = {
  store: GpuStore
  row: number
  /** Place among the rows shown, and the line, headings counted. */
  place: number
  line: number
  cloud: string | null
  isSelected: boolean
  isTabStop: boolean
  /** Cell of the bar that the keyboard stands on. */
  activeCell: number | null
  /** Undefined: its host is not silent. */
  silentSince: string | null | undefined
}

/** One pGPU. It handles no event itself: the table listens once for all rows, and turns its link into a visit in place. */
export const GpuTableRow = memo(
  ({ store, row, place, line, cloud, isSelected, isTabStop, activeCell, silentSince }: GpuTableRowProps) => {
    const gpu = gpuRowAt(store, row)
    const { host, address, type, framework, finding, stranded, service } = gpu
    const placement = isCloudRead(store) ? placementWord(gpu) : null
    const isOld = silentSince !== undefined
    return (
      <tr
        data-place={place}
        aria-rowindex={line + 2}
        aria-selected={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        className={classNames(
          'h-8 -outline-offset-2 max-md:grid max-md:h-[84px] max-md:grid-cols-[28px_196px_minmax(0,1fr)] max-md:content-center max-md:items-center max-md:gap-x-2 max-md:gap-y-0.5 max-md:border-line2 max-md:border-b max-md:px-2.5',
          isSelected ? 'bg-sel' : 'hover:bg-bg',
          isOld && 'text-ink3',
        )}
      >
        <td className={classNames(cell, 'pr-0 print:invisible')}>
          <input
            type="checkbox"
            className="check"
            tabIndex={-1}
            checked={isSelected}
            readOnly
            aria-label={`Select ${host} ${address}`}
          />
        </td>
        <td className={cell} title={host}>
          {host}
          {silentSince === undefined ? null : (
            <>
              {' '}
              <SilentTag seenAt={silentSince} />
            </>
          )}
          {service === 'down' || service === 'disabled' ? (
            <>
              {' '}
              <ServiceTag service={service} />
            </>
          ) : null}
        </td>
        <td className={classNames(cell, 'font-mono text-small max-md:order-4 max-md:col-start-2')}>
          <a
            href={gpuPath({ cloud, host, address })}
            tabIndex={-1}
            className="hover:text-accent-ink hover:underline"
          >
            {address}
          </a>
        </td>
        <td className={classNames(cell, 'max-md:order-5 max-md:text-right', type === null && 'text-ink2')}>
          {type === null ? (
            noTypeWords(framework)
          ) : (
            <>
              {type.shortName}{' '}
              <span className="font-mono text-ink3 text-small max-[87.5rem]:hidden">{type.typeId}</span>
            </>
          )}
        </td>
        <td className={classNames(cell, 'max-xl:px-0 max-md:hidden')}>
          <span className="rounded-tag border border-line px-[5px] text-ink2 text-tiny">
            {frameworkWords(framework)}
          </span>
        </td>
        <td className={classNames(cell, 'overflow-visible max-md:order-6 max-md:col-start-2')}>
          <VgpuBar
            host={host}
            address={address}
            numbers={gpu}
            range={gpu.range}
            reason={gpu.reason}
            isOld={isOld}
            activePlace={activeCell}
          />
        </td>
        <td
          className={classNames(
            cell,
            'text-right tabular-nums max-md:order-3',
            // Two lines in the height of one row: the list is laid out by it.
            placement !== null && 'leading-[15px]',
          )}
        >
          <UsedOf {...gpu} />
          {placement === null ? null : <PlacementNote word={placement} />}
        </td>
        <td className={classNames(cell, 'max-md:order-7')}>
          {stranded === null || stranded === 0 ? null : <StrandedNote count={stranded} isOld={isOld} />}
          {finding === null ? null : (
            <SeverityText severity={finding.severity}>{finding.sentence}</SeverityText>
          )}
        </td>
      </tr>
    )
  },
)
