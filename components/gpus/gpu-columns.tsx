import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { StrandedNote } from '@/components/gpu/stranded-note'
import { UsedOf } from '@/components/gpu/used-of'
import { VgpuBar } from '@/components/gpu/vgpu-bar'
import { SilentTag } from '@/components/shell/silent-tag'
import type { Column, CsvValue } from '@/components/table/column'
import { SeverityText } from '@/components/ui/severity-text'
import { Tag } from '@/components/ui/tag'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import type { SortColumn } from '@/lib/domain/gpu-list/arrange-gpus'
import type { GpuRow } from '@/lib/domain/gpu-list/gpu-store'
import { classNames } from '@/lib/util/class-names'
import { formatMib } from '@/lib/util/format'
import { gpuPath, hostPath, typePath } from '@/lib/util/paths'

type PlacementWord = {
  text: string
  /** The continuation of `text`, for the note and for screen readers. */
  rest: string
  /** It advertises more than fit. */
  isMore: boolean
}

/**
 * Placement's value of a pGPU if it differs from the hardware or is unknown; null if there is nothing to show. A pGPU
 * with an unknown capacity of which nothing is advertised has nothing to compare.
 */
export const placementWord = ({
  capacity,
  advertised,
  advertisedUsed,
}: Pick<GpuRow, 'capacity' | 'advertised' | 'advertisedUsed'>): PlacementWord | null => {
  if (advertised === null) return { text: 'Placement –', rest: 'its inventory is unknown', isMore: false }
  if (advertised === capacity || (capacity === null && advertised === 0)) return null
  const used = advertisedUsed === null ? 'use unknown' : `${advertisedUsed} of them allocated`
  const isMore = capacity !== null && advertised > capacity
  const rest = isMore ? `advertised, ${used}; ${capacity} fit` : `advertised, ${used}`
  return { text: `Placement ${advertised}`, rest, isMore }
}

type Context = {
  isCloudRead: boolean
  cloud: string | null
  isSelected: boolean
  /** It is the row that Tab reaches, so its links are reached too. */
  isTabStop: boolean
  /** Cell of the bar that has the keyboard's position. */
  activeCell: number | null
  /** Undefined: the host is not silent. */
  silentSince: string | null | undefined
}

/** A row with its capacity divided as in the fleet totals. Null is unknown: such a row is in no total. */
export type GpuCsvRow = GpuRow & {
  parts: Readonly<
    Record<'capacity' | 'used' | 'spare' | 'free' | 'blocked' | 'unknown' | 'locked', number | null>
  >
  /** Names of aggregates; null: unknown. */
  aggregateNames: string | null
  silentSince: string | null | undefined
}

/** Widths are in gpu-rows.css, for the header and the rows. A cell without content has no element, which costs less. */
export type GpuColumn = Omit<Column<GpuRow, Context, SortColumn>, 'csv' | 'phone' | 'width'> & {
  /** Several parts of the column that the rows can be sorted by. What a cloud adds shares two columns. */
  sorts?: readonly { header: string; sort: SortColumn; isOfCloud?: boolean }[]
  /** Classes of the header. */
  headClass?: string
  /** The header itself is no button: the sorts are parts of the column. */
  hasParts?: boolean
  csv?: (row: GpuCsvRow) => CsvValue
}

/** "Placement 32" under "9 / 12". */
const PlacementNote = ({ word: { text, rest, isMore }, isOld }: { word: PlacementWord; isOld: boolean }) => (
  <span
    className={classNames(
      'block truncate text-tiny leading-[13px]',
      isMore ? (isOld ? 'sign text-ink3' : 'sign text-warn') : 'text-ink3',
    )}
    {...(isMore ? { 'data-word': 'Warning: ' } : {})}
    title={`${text} ${rest}`}
  >
    {text}
    <span className="sr-only"> {rest}</span>
  </span>
)

/** A service that takes no servers. */
const ServiceTag = ({ service }: { service: 'down' | 'disabled' }) => (
  <Tag tone={service === 'down' ? 'warn' : 'quiet'} title={`nova-compute is ${service}`}>
    <span className="sr-only">nova-compute is</span>
    {service}
  </Tag>
)

const placementOf = (gpu: GpuRow, { isCloudRead }: Context): PlacementWord | null =>
  isCloudRead ? placementWord(gpu) : null

const Used = ({ gpu, context }: { gpu: GpuRow; context: Context }) => {
  const { host, address, type, used, capacity, reason } = gpu
  const placement = placementOf(gpu, context)
  const isOld = context.silentSince !== undefined
  const range = type === null ? gpu.range : null
  return (
    <>
      <VgpuBar
        host={host}
        address={address}
        numbers={gpu}
        range={range}
        reason={reason}
        isWhole={gpu.framework === 'passthrough'}
        isOld={isOld}
        activeIndex={context.activeCell}
      />
      <UsedOf used={used} capacity={capacity} range={range} reason={reason} />
      {placement === null ? null : <PlacementNote word={placement} isOld={isOld} />}
    </>
  )
}

const linkTabIndex = (isTabStop: boolean) => (isTabStop ? undefined : -1)

/** pGPUs on their page. */
export const GPU_COLUMNS: readonly GpuColumn[] = [
  {
    id: 'host',
    header: 'Host',
    isFixed: true,
    sort: 'host',
    className: 'gpu-host cut',
    hint: ({ host }) => host,
    cell: ({ host, address, service }, { cloud, isSelected, isTabStop, silentSince }) => (
      <>
        <input
          type="checkbox"
          className="check"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={`Select ${host} ${address}`}
        />
        <a href={hostPath({ cloud, host })} tabIndex={linkTabIndex(isTabStop)}>
          {host}
        </a>
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
      </>
    ),
    csv: ({ host }) => host,
  },
  {
    id: 'pci_address',
    header: 'PCI address',
    isFixed: true,
    sort: 'address',
    className: 'gpu-address cut',
    cell: ({ host, address }, { cloud, isTabStop }) => (
      <a href={gpuPath({ cloud, host, address })} tabIndex={linkTabIndex(isTabStop)}>
        {address}
      </a>
    ),
    csv: ({ address }) => address,
  },
  { id: 'model', csv: ({ model }) => model },
  { id: 'framework', csv: ({ framework }) => framework },
  {
    id: 'vgpu_type',
    header: 'vGPU type',
    sort: 'type',
    className: ({ type }) => (type === null ? 'gpu-type cut text-ink2' : 'gpu-type cut'),
    cell: ({ type, framework }, { cloud, isTabStop }) =>
      type === null ? (
        noTypeLabel(framework)
      ) : (
        <>
          <a href={typePath({ cloud, type: type.typeId })} tabIndex={linkTabIndex(isTabStop)}>
            {type.shortName}
          </a>{' '}
          <span>{type.typeId}</span>
        </>
      ),
    csv: ({ type }) => type?.shortName ?? null,
  },
  { id: 'vgpu_type_id', csv: ({ type }) => type?.typeId ?? null },
  {
    id: 'framework_label',
    header: 'Framework',
    sort: 'framework',
    headClass: 'gpu-optional max-xl:overflow-hidden max-xl:px-0',
    className: 'gpu-framework gpu-optional',
    cell: ({ framework }) => frameworkLabel(framework),
  },
  {
    id: 'numa_node',
    header: 'NUMA node',
    isOptional: true,
    headClass: 'gpu-optional max-xl:overflow-hidden max-xl:px-0 text-right!',
    className: 'gpu-optional text-right tabular-nums',
    cell: ({ numaNode }) => numaNode ?? '–',
    csv: ({ numaNode }) => numaNode,
  },
  {
    id: 'framebuffer_mib',
    header: 'Memory',
    isOptional: true,
    headClass: 'gpu-optional max-xl:overflow-hidden max-xl:px-0 text-right!',
    className: 'gpu-optional text-right tabular-nums',
    cell: ({ framebufferMib }) => (framebufferMib === null ? '–' : formatMib(framebufferMib)),
    csv: ({ framebufferMib }) => framebufferMib,
  },
  { id: 'unit', csv: ({ framework }) => (framework === 'passthrough' ? 'passthrough' : 'vgpu') },
  { id: 'capacity', csv: ({ parts }) => parts.capacity },
  {
    id: 'used',
    header: 'vGPUs',
    hasParts: true,
    sorts: [
      { header: 'Placement', sort: 'advertised', isOfCloud: true },
      { header: 'Used', sort: 'used' },
    ],
    headClass: 'flex items-center',
    className: (gpu, context) => (placementOf(gpu, context) === null ? 'gpu-used' : 'gpu-used gpu-two-lines'),
    cell: (gpu, context) => <Used gpu={gpu} context={context} />,
    csv: ({ parts }) => parts.used,
  },
  { id: 'spare', csv: ({ parts }) => parts.spare },
  {
    id: 'free',
    csv: ({ parts }) => parts.free,
  },
  { id: 'blocked', csv: ({ parts }) => parts.blocked },
  { id: 'unknown', csv: ({ parts }) => parts.unknown },
  { id: 'orphan', csv: ({ orphan }) => orphan },
  { id: 'returning', csv: ({ returning }) => returning },
  { id: 'creatable', csv: ({ creatable }) => creatable },
  { id: 'locked', csv: ({ parts }) => parts.locked },
  { id: 'unknown_reason', csv: ({ reason }) => reason },
  {
    id: 'finding',
    header: 'Finding',
    headClass: 'gpu-finding-head',
    sorts: [
      { header: 'Stranded', sort: 'stranded', isOfCloud: true },
      { header: 'Finding', sort: 'finding' },
    ],
    className: 'gpu-finding',
    cell: ({ finding, stranded, framework }, { silentSince }) => {
      const isOld = silentSince !== undefined
      const hasStranded = stranded !== null && stranded > 0
      if (!hasStranded && finding === null) return null
      return (
        <>
          {hasStranded ? (
            <StrandedNote count={stranded} isWhole={framework === 'passthrough'} isOld={isOld} />
          ) : null}
          {finding === null ? null : (
            <SeverityText severity={finding.severity} isOld={isOld}>
              {finding.sentence}
            </SeverityText>
          )}
        </>
      )
    },
    csv: ({ finding }) => finding?.sentence ?? null,
  },
  { id: 'advertised', csv: ({ advertised }) => advertised },
  { id: 'advertised_used', csv: ({ advertisedUsed }) => advertisedUsed },
  { id: 'stranded', csv: ({ stranded }) => stranded },
  { id: 'stranded_reason', csv: ({ strandedReason }) => strandedReason },
  { id: 'service', csv: ({ service }) => (service === 'unknown' ? null : service) },
  {
    id: 'aggregates',
    header: 'Aggregates',
    isOptional: true,
    headClass: 'gpu-optional max-xl:overflow-hidden max-xl:px-0',
    className: 'gpu-optional cut',
    hint: ({ aggregates }) => aggregates?.join(', ') ?? '',
    cell: ({ aggregates }) =>
      aggregates === null ? '–' : aggregates.length === 0 ? 'none' : aggregates.join(', '),
    csv: ({ aggregateNames }) => aggregateNames,
  },
  { id: 'host_silent', csv: ({ silentSince }) => (silentSince === undefined ? 'no' : 'yes') },
  { id: 'host_silent_since', csv: ({ silentSince }) => silentSince ?? null },
]
