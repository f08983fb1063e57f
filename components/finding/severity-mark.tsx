import { Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { IconWord } from '@/components/ui/icon-word'
import type { Severity } from '@/lib/schemas/severity'
import { classNames } from '@/lib/util/class-names'
import { SEVERITY_LABELS } from './finding-labels'

const LOOKS: Record<Severity, { icon: LucideIcon; tone: string }> = {
  error: { icon: OctagonX, tone: 'text-bad' },
  warning: { icon: TriangleAlert, tone: 'text-warn' },
  info: { icon: Info, tone: 'text-ink2' },
}

/** Severity as shape, word and color. */
export const SeverityMark = ({ severity, className }: { severity: Severity; className?: string }) => {
  const { icon, tone } = LOOKS[severity]
  return (
    <IconWord icon={icon} className={classNames(tone, className)}>
      {SEVERITY_LABELS[severity]}
    </IconWord>
  )
}
