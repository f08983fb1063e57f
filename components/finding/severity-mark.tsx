import { Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { classNames } from '@/lib/util/class-names'
import { SEVERITY_WORDS, type Severity } from './finding-words'

const LOOKS: Record<Severity, { icon: LucideIcon; tone: string }> = {
  error: { icon: OctagonX, tone: 'text-bad' },
  warning: { icon: TriangleAlert, tone: 'text-warn' },
  info: { icon: Info, tone: 'text-ink2' },
}

/** Urgency as shape, word and colour. */
export const SeverityMark = ({ severity, className }: { severity: Severity; className?: string }) => {
  const { icon: Icon, tone } = LOOKS[severity]
  return (
    <span
      className={classNames('inline-flex items-center gap-1.5 whitespace-nowrap text-small', tone, className)}
    >
      <Icon size={13} aria-hidden className="flex-none" />
      {SEVERITY_WORDS[severity]}
    </span>
  )
}
