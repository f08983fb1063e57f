import { frameworkWords } from '@/components/gpu/gpu-words'
import { StrandedNote } from '@/components/gpu/stranded-note'
import { UsedOf } from '@/components/gpu/used-of'
import { VgpuBar } from '@/components/gpu/vgpu-bar'
import { SilentTag } from '@/components/shell/silent-tag'
import { SeverityText } from '@/components/ui/severity-text'
import { noTypeWords } from '@/lib/domain/fleet/no-type-words'
import type { GpuRow } from '@/lib/domain/gpu-list/gpu-store'
import { gpuPath } from '@/lib/util/paths'
import { PlacementNote, ServiceTag } from './cloud-words'
import { placementWord } from './placement-word'

/** The cells of a pGPU's row, column by column. */
export const GpuCells = ({
  gpu,
  isCloudRead,
  cloud,
  isSelected,
  activeCell,
  silentSince,
}: {
  gpu: GpuRow
  isCloudRead: boolean
  cloud: string | null
  isSelected: boolean
  /** Cell of the bar with the keyboard focus. */
  activeCell: number | null
  /** Undefined: its host is not silent. */
  silentSince: string | null | undefined
}) => {
  const { host, address, type, framework, finding, stranded, service } = gpu
  const placement = isCloudRead ? placementWord(gpu) : null
  const isOld = silentSince !== undefined
  const isWhole = framework === 'passthrough'
  const range = type === null ? gpu.range : null
  const hasStranded = stranded !== null && stranded > 0
  return (
    <>
      <td className="gpu-host cut" title={host}>
        <input
          type="checkbox"
          className="check"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={`Select ${host} ${address}`}
        />
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
      <td className="gpu-framework">{frameworkWords(framework)}</td>
      <td className={placement === null ? 'gpu-used' : 'gpu-used gpu-two-lines'}>
        <VgpuBar
          host={host}
          address={address}
          numbers={gpu}
          range={range}
          reason={gpu.reason}
          isWhole={isWhole}
          isOld={isOld}
          activePlace={activeCell}
        />
        <UsedOf used={gpu.used} capacity={gpu.capacity} range={range} reason={gpu.reason} />
        {placement === null ? null : <PlacementNote word={placement} isOld={isOld} />}
      </td>
      {hasStranded || finding !== null ? (
        <td className="gpu-finding">
          {hasStranded ? <StrandedNote count={stranded} isWhole={isWhole} isOld={isOld} /> : null}
          {finding === null ? null : (
            <SeverityText severity={finding.severity} isOld={isOld}>
              {finding.sentence}
            </SeverityText>
          )}
        </td>
      ) : null}
    </>
  )
}
