import { downloadCsv } from '@/components/ui/download-text'
import type { HostSummary } from '@/lib/schemas/api/host'
import { hostCsv } from './host-csv'

/** The hosts as a CSV file, named after the cloud and the minute. */
export const downloadHosts = (cloud: string, hosts: readonly HostSummary[]): void =>
  downloadCsv({ cloud, what: 'hosts', text: hostCsv(cloud, hosts) })
