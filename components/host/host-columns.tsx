import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { SilentTag } from '@/components/shell/silent-tag'
import type { Column } from '@/components/table/column'
import { Unknown } from '@/components/ui/key-values'
import { ShareBar } from '@/components/ui/share-bar'
import type { HostSummary } from '@/lib/schemas/api/host'
import { hostPath } from '@/lib/util/paths'
import { utcText } from '@/lib/util/utc-text'
import type { HostSort } from './arrange-hosts'

/** Of a host that has vGPUs: in use and capacity, with a bar. */
const VgpuUse = ({ host }: { host: HostSummary }) => {
  if (host.used === null || host.capacity === null) return <Unknown reason={host.unknownReason} />
  return (
    <span className="inline-flex items-baseline gap-2">
      <ShareBar
        share={host.used / Math.max(host.capacity, 1)}
        tone={host.isSilent ? 'muted' : 'accent'}
        className="w-16 self-center max-2xl:hidden"
      />
      <span className="inline-block text-right md:min-w-[62px]">
        {host.used} / {host.capacity}
      </span>
    </span>
  )
}

const hasPassthrough = ({ passthrough }: HostSummary): boolean => (passthrough.capacity ?? 0) > 0

const NOWRAP = 'whitespace-nowrap'
const SMALL = 'whitespace-nowrap text-small'

/** Hosts on their page. A host with no GPUs has no numbers of vGPUs. */
export const HOST_COLUMNS: readonly Column<HostSummary, { cloud: string | null }, HostSort>[] = [
  {
    id: 'host',
    header: 'Host',
    sort: 'name',
    isRising: true,
    isFixed: true,
    className: NOWRAP,
    cell: ({ name, isSilent, seenAt }, { cloud }) => (
      <>
        <Link
          href={hostPath({ cloud, host: name })}
          prefetch={false}
          tabIndex={-1}
          className="hover:text-accent-ink hover:underline"
        >
          {name}
        </Link>{' '}
        {isSilent ? <SilentTag seenAt={seenAt} /> : null}
      </>
    ),
    csv: ({ name }) => name,
  },
  {
    id: 'models',
    header: 'Models',
    // Takes the width that the others leave and is truncated first, so that the age of the data stays visible.
    width: 'min-w-36',
    phone: 'hidden',
    className: 'w-full max-w-0 truncate',
    hint: ({ models }) => models.join(', '),
    cell: ({ models }) =>
      models.length === 0 ? <span className="text-ink3">no GPU</span> : models.join(', '),
    csv: ({ models }) => models.join(', '),
  },
  {
    id: 'pgpus',
    header: 'pGPUs',
    sort: 'gpus',
    isNumber: true,
    cell: ({ gpuCount }) => gpuCount,
    csv: ({ gpuCount }) => gpuCount,
  },
  { id: 'capacity', csv: ({ capacity }) => capacity },
  {
    id: 'used',
    header: 'vGPUs in use',
    sort: 'used',
    isNumber: true,
    className: NOWRAP,
    cell: (host) =>
      host.gpuCount === 0 || (host.capacity === 0 && hasPassthrough(host)) ? null : <VgpuUse host={host} />,
    csv: ({ used }) => used,
  },
  { id: 'spare', csv: ({ spare }) => spare },
  { id: 'free', csv: ({ free }) => free },
  { id: 'blocked', csv: ({ blocked }) => blocked },
  { id: 'unknown', csv: ({ unknown }) => unknown },
  { id: 'whole_cards', csv: ({ wholeCards }) => wholeCards },
  {
    id: 'passthrough_used',
    header: 'Passthrough',
    title: 'Passthrough GPUs in use',
    isNumber: true,
    className: NOWRAP,
    cell: (host) =>
      hasPassthrough(host) ? `${host.passthrough.used ?? '–'} / ${host.passthrough.capacity}` : null,
    csv: ({ passthrough }) => passthrough.used,
  },
  {
    id: 'guests',
    header: 'Guests',
    sort: 'guests',
    isNumber: true,
    cell: ({ guestCount }) => guestCount ?? <Unknown reason="the guests could not be read" />,
    csv: ({ guestCount }) => guestCount,
  },
  {
    id: 'problems',
    header: 'Problems',
    sort: 'problems',
    isNumber: true,
    className: ({ problemCount }) => problemCount > 0 && 'font-[550] text-warn',
    cell: ({ problemCount }) => problemCount,
    csv: ({ problemCount }) => problemCount,
  },
  {
    id: 'driver',
    header: 'Driver',
    className: SMALL,
    cell: ({ driverVersion }) => driverVersion ?? <span className="text-ink3">none</span>,
    csv: ({ driverVersion }) => driverVersion,
  },
  {
    id: 'libvirt',
    header: 'libvirt',
    className: SMALL,
    cell: ({ libvirtVersion }) =>
      libvirtVersion ?? <Unknown reason="reported neither by virsh nor by the package list" />,
    csv: ({ libvirtVersion }) => libvirtVersion,
  },
  {
    id: 'deployment',
    header: 'nova.conf',
    className: SMALL,
    cell: ({ deployment }) => deployment ?? <Unknown reason="no nova.conf found" />,
    csv: ({ deployment }) => deployment,
  },
  {
    id: 'agent',
    header: 'Agent',
    className: SMALL,
    cell: ({ agentVersion }) => agentVersion,
    csv: ({ agentVersion }) => agentVersion,
  },
  { id: 'silent', csv: ({ isSilent }) => (isSilent ? 'yes' : 'no') },
  {
    id: 'seen_at',
    header: 'Last seen',
    sort: 'seen',
    isRising: true,
    className: SMALL,
    cell: ({ seenAt }) => <Moment at={seenAt} />,
    csv: ({ seenAt }) => utcText(seenAt),
  },
]
