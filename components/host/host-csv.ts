import type { HostSummary } from '@/lib/schemas/api/host'
import { csvText, utcText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

type Cell = string | number | null

const COLUMNS: readonly (readonly [string, (host: HostSummary) => Cell])[] = [
  ['host', ({ name }) => name],
  ['models', ({ models }) => models.join(', ')],
  ['pgpus', ({ gpuCount }) => gpuCount],
  ['capacity', ({ capacity }) => capacity],
  ['used', ({ used }) => used],
  ['spare', ({ spare }) => spare],
  ['free', ({ free }) => free],
  ['blocked', ({ blocked }) => blocked],
  ['unknown', ({ unknown }) => unknown],
  ['whole_cards', ({ wholeCards }) => wholeCards],
  ['passthrough_used', ({ passthrough }) => passthrough.used],
  ['guests', ({ guestCount }) => guestCount],
  ['problems', ({ problemCount }) => problemCount],
  ['driver', ({ driverVersion }) => driverVersion],
  ['libvirt', ({ libvirtVersion }) => libvirtVersion],
  ['deployment', ({ deployment }) => deployment],
  ['agent', ({ agentVersion }) => agentVersion],
  ['silent', ({ isSilent }) => (isSilent ? 'yes' : 'no')],
  ['seen_at', ({ seenAt }) => utcText(seenAt)],
]

/** The hosts in the order in which they are shown. An unknown number is an empty field. */
export const hostCsv = (cloud: string, hosts: readonly HostSummary[]): Encoded<'csv'> =>
  csvText([
    ['cloud', ...COLUMNS.map(([name]) => name)],
    ...hosts.map((host) => [cloud, ...COLUMNS.map(([, read]) => read(host))]),
  ])
