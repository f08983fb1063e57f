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
        className={classNames('gpu-row', isOld && 'text-ink3')}
      >
        <td className="gpu-check">
          <input
            type="checkbox"
            className="check"
            tabIndex={-1}
            checked={isSelected}
            readOnly
            aria-label={`Select ${host} ${address}`}
          />
        </td>
        <td className="cut" title={host}>
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
        <td className="gpu-address cut">
          <a href={gpuPath({ cloud, host, address })} tabIndex={-1}>
            {address}
          </a>
        </td>
        <td className={type === null ? 'gpu-type cut text-ink2' : 'gpu-type cut'}>
          {type === null ? (
            noTypeWords(framework)
          ) : (
            <>
              {type.shortName} <span>{type.typeId}</span>
            </>
          )}
        </td>
        <td className="gpu-framework">
          <span>{frameworkWords(framework)}</span>
        </td>
        <td className="gpu-bar">
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
        <td className={placement === null ? 'gpu-used' : 'gpu-used gpu-two-lines'}>
          <UsedOf {...gpu} />
          {placement === null ? null : <PlacementNote word={placement} />}
        </td>
        <td className="gpu-finding cut">
          {stranded === null || stranded === 0 ? null : <StrandedNote count={stranded} isOld={isOld} />}
          {finding === null ? null : (
            <SeverityText severity={finding.severity}>{finding.sentence}</SeverityText>
          )}
        </td>
      </tr>
    )
  },
)
