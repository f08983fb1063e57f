import { UsageDayPanel } from '@/components/utilization/usage-day-panel'
import { SmallHistory } from './small-history'

/** The last month of a host or of one of its pGPUs, and the utilization of the last day. */
export const HistoryTab = ({
  cloud,
  host,
  address,
  silentSince,
}: {
  cloud: string | null
  host: string
  address?: string
  /** Time of the last report of a silent host; undefined: it is not silent. */
  silentSince: string | null | undefined
}) => (
  <div className="flex min-w-0 flex-col gap-3">
    <SmallHistory
      cloud={cloud}
      of={address === undefined ? { by: 'host', host } : { by: 'pgpu', host, address }}
    />
    <UsageDayPanel cloud={cloud} host={host} address={address ?? null} silentSince={silentSince} />
  </div>
)
