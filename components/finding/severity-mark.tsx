import { CircleCheck, Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { IconWord } from '@/components/ui/icon-word'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { Severity } from '@/lib/schemas/severity'
import { classNames } from '@/lib/util/class-names'
import { SEVERITY_LABELS, STATE_LABELS } from './finding-labels'

const LOOKS: Record<Severity, { icon: LucideIcon; tone: string }> = {
  error: { icon: OctagonX, tone: 'text-bad' },
  warning: { icon: TriangleAlert, tone: 'text-warn' },
  info: { icon: Info, tone: 'text-ink2' },
}

/** Severity as shape, word and color; of a resolved finding that it is resolved. */
export const SeverityMark = ({
  finding: { severity, state },
  className,
}: {
  finding: Pick<TrackedFinding, 'severity' | 'state'>
  className?: string
}) => {
  if (state === 'closed')
    return (
      <IconWord icon={CircleCheck} className={classNames('text-accent-ink', className)}>
        {STATE_LABELS.closed}
      </IconWord>
    )
  const { icon, tone } = LOOKS[severity]
  return (
    <IconWord icon={icon} className={classNames(tone, className)}>
      {SEVERITY_LABELS[severity]}
    </IconWord>
  )
}
