import type { Tab } from '@/components/ui/tabs'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'

/** On the Sources tab; undefined where the sources agree or are unknown. */
export const disagreementBadge = (sources: Pick<GpuSources, 'sources'> | undefined): Tab['badge'] => {
  const count = sources?.sources?.rows.filter(({ disagree }) => disagree !== null).length ?? 0
  return count === 0
    ? undefined
    : { count, noun: count === 1 ? 'disagreement' : 'disagreements', isWarning: true }
}

/** On the vGPUs tab; undefined: unknown. */
export const inUseBadge = ({ numbers: { used } }: Pick<GpuDetail, 'numbers'>): Tab['badge'] =>
  used.value === null ? undefined : { count: used.value, noun: 'in use' }
