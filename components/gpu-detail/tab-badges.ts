import type { Tab } from '@/components/ui/tabs'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { formatCount, formatNoun } from '@/lib/util/format'

/** On the Sources tab; undefined where the sources agree or are unknown. */
export const disagreementBadge = (sources: Pick<GpuSources, 'sources'> | undefined): Tab['badge'] => {
  const count = sources?.sources?.rows.filter(({ disagree }) => disagree !== null).length ?? 0
  return count === 0
    ? undefined
    : { text: formatCount(count), label: formatNoun(count, 'disagreement'), tone: 'warn' }
}

/** On the vGPUs tab; undefined: unknown. */
export const inUseBadge = ({ numbers: { used } }: Pick<GpuDetail, 'numbers'>): Tab['badge'] =>
  used.value === null
    ? undefined
    : { text: formatCount(used.value), label: `${formatCount(used.value)} in use`, tone: 'quiet' }
