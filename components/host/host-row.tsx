import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { SilentTag } from '@/components/shell/silent-tag'
import { Unknown } from '@/components/ui/key-values'
import { Td } from '@/components/ui/table'
import type { HostSummary } from '@/lib/schemas/api/host'
import { classNames } from '@/lib/util/class-names'
import { hostPath } from '@/lib/util/paths'

/** Of a host that has vGPUs: in use and capacity, with a bar. */
const VgpuUse = ({ host }: { host: HostSummary }) => {
  if (host.used === null || host.capacity === null) return <Unknown reason={host.unknownReason} />
  const share = (host.used / Math.max(host.capacity, 1)) * 100
  return (
    <span className="inline-flex items-baseline gap-2">
      <svg
        width="64"
        height="6"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="self-center max-2xl:hidden"
      >
        <rect width="100" height="6" rx="3" className="fill-cell" />
        <rect width={share} height="6" rx="3" className={host.isSilent ? 'fill-ink3' : 'fill-accent'} />
      </svg>
      <span className="inline-block text-right md:min-w-[62px]">
        {host.used} / {host.capacity}
      </span>
    </span>
  )
}

const hasPassthrough = ({ passthrough }: HostSummary): boolean => (passthrough.capacity ?? 0) > 0

/** One host of the list. `place` is its index among the hosts shown. */
export const HostRow = ({
  host,
  place,
  cloud,
  isTabStop,
}: {
  host: HostSummary
  place: number
  cloud: string | null
  isTabStop: boolean
}) => (
  <tr
    data-place={place}
    aria-rowindex={place + 2}
    tabIndex={isTabStop ? 0 : -1}
    className={classNames('h-8 -outline-offset-2 hover:bg-bg', host.isSilent && 'text-ink3')}
  >
    <Td className="whitespace-nowrap">
      <Link
        href={hostPath({ cloud, host: host.name })}
        prefetch={false}
        tabIndex={-1}
        className="hover:text-accent-ink hover:underline"
      >
        {host.name}
      </Link>{' '}
      {host.isSilent ? <SilentTag seenAt={host.seenAt} /> : null}
    </Td>
    <Td className="w-full max-w-0 truncate max-md:hidden" title={host.models.join(', ')}>
      {host.models.length === 0 ? <span className="text-ink3">no GPU</span> : host.models.join(', ')}
    </Td>
    <Td isNumber>{host.gpuCount}</Td>
    <Td isNumber className="whitespace-nowrap">
      {host.gpuCount === 0 || (host.capacity === 0 && hasPassthrough(host)) ? null : <VgpuUse host={host} />}
    </Td>
    <Td isNumber className="whitespace-nowrap">
      {hasPassthrough(host) ? `${host.passthrough.used ?? '–'} / ${host.passthrough.capacity}` : null}
    </Td>
    <Td isNumber>{host.guestCount ?? <Unknown reason="the guests could not be read" />}</Td>
    <Td isNumber className={classNames(host.problemCount > 0 && 'font-[550] text-warn')}>
      {host.problemCount}
    </Td>
    <Td className="whitespace-nowrap text-small">
      {host.driverVersion ?? <span className="text-ink3">none</span>}
    </Td>
    <Td className="whitespace-nowrap text-small">
      {host.libvirtVersion ?? <Unknown reason="reported neither by virsh nor by the package list" />}
    </Td>
    <Td className="whitespace-nowrap text-small">
      {host.deployment ?? <Unknown reason="no nova.conf found" />}
    </Td>
    <Td className="whitespace-nowrap text-small">{host.agentVersion}</Td>
    <Td className="whitespace-nowrap text-small">
      <Moment at={host.seenAt} />
    </Td>
  </tr>
)
