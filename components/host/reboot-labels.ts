import { releaseNames } from '@/lib/domain/nova-config/nova-releases'
import type { HostReboot, RebootPreviewDto, RebootServer } from '@/lib/schemas/api/reboot'
import { naturalOrder } from '@/lib/util/natural-order'

type Fate = RebootServer['fate']

export const FATE_LABELS: Record<Fate, string> = {
  lost: 'Will not start',
  unknown: 'Unknown',
  returns: 'Starts',
}

const RANK: Record<Fate, number> = { lost: 0, unknown: 1, returns: 2 }

const nameOf = ({ serverName, guestName }: RebootServer): string => serverName ?? guestName

/** Servers that need action first; within that by name. */
export const rebootOrder = (servers: readonly RebootServer[]): RebootServer[] =>
  servers.toSorted((a, b) => RANK[a.fate] - RANK[b.fate] || naturalOrder(nameOf(a), nameOf(b)))

export const countFate = ({ servers }: Pick<RebootPreviewDto, 'servers'>, fate: Fate): number =>
  servers.filter((server) => server.fate === fate).length

/** What nova-compute would do, as the first sentence of the page. */
export const novaComputeText = ({
  isStarting,
}: RebootPreviewDto['novaCompute']): { title: string; tone: 'bad' | 'warn' | 'plain' } => {
  if (isStarting === null) return { title: 'nova-compute may fail to start', tone: 'warn' }
  return isStarting
    ? { title: 'nova-compute starts', tone: 'plain' }
    : { title: 'nova-compute will fail to start', tone: 'bad' }
}

/** "nova-compute 26.2.2", or "Nova Zed (compute API 2.93)" where the host does not report its version; null: unknown. */
export const releaseText = ({
  novaVersion,
  computeVersion,
}: Pick<HostReboot, 'novaVersion' | 'computeVersion'>): string | null => {
  if (computeVersion !== null) return `nova-compute ${computeVersion}`
  if (novaVersion === null) return null
  return `Nova ${releaseNames(novaVersion) ?? 'of an unknown release'} (compute API ${novaVersion})`
}
