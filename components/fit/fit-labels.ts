import type { FitGroup, FitReasonKind, FitReportDto, HostFitDto } from '@/lib/schemas/api/fit'
import { formatCount, formatNoun } from '@/lib/util/format'

/** What a group of hosts has in common; the host's own sentence has the numbers. */
const REASON_LABELS: Record<FitReasonKind, string> = {
  service: 'nova-compute is disabled or down',
  zone: 'in another availability zone',
  aggregate: 'no aggregate with the metadata that the flavor requires',
  alias: 'Nova’s API does not know the PCI alias',
  cpu: 'not enough free CPU',
  numa: 'not enough free CPU or memory on its NUMA nodes',
  memory: 'not enough free memory',
  disk: 'not enough free disk',
  full: 'fully in use',
  hardware: 'free in Placement, but the card cannot create more',
  device: 'providers of missing cards',
  together: 'the resources do not fit together',
  size: 'request exceeds one provider',
  trait: 'no pGPU with the trait',
  class: 'another resource class or vGPU type',
  provider: 'pGPUs without a resource provider',
  refused: 'Placement rejects the query',
  unexplained: 'Placement differs from the last reading for an unknown reason',
  unknown: 'unknown',
}

export const groupLabel = (group: FitGroup): string =>
  group === 'fits' ? 'with capacity' : REASON_LABELS[group]

type Numbers = { fits: number; unknownHosts: number; isExact: boolean }

/** `12`; `12 or more` where hosts are not known; null when nothing is known. */
export const fitsText = ({ fits, unknownHosts, isExact }: Numbers): string | null => {
  if (unknownHosts === 0 && isExact) return formatCount(fits)
  return fits === 0 && unknownHosts > 0 ? null : `${formatCount(fits)} or more`
}

/** Why the sum is not the whole; null when it is. */
export const openBecause = ({ unknownHosts, isExact }: Omit<Numbers, 'fits'>): string | null => {
  if (unknownHosts > 0) return `${formatNoun(unknownHosts, 'host has', 'hosts have')} unknown values`
  return isExact ? null : 'its groups request different amounts of one class'
}

/** What a host takes, as text. */
export const hostFitsText = ({ fits, surely }: Pick<HostFitDto, 'fits' | 'surely'>): string => {
  if (fits.value !== null) return formatCount(fits.value)
  return surely.fits > 0 ? `${formatCount(surely.fits)} or more` : '–'
}

/** Placement's answer in one line; null when none came. */
export const answeredText = ({ placement, offeredHosts }: FitReportDto): string | null => {
  if (placement.state !== 'answered' || placement.candidates === null) return null
  return `${formatNoun(placement.candidates, 'candidate')} on ${formatNoun(offeredHosts, 'host')}`
}
