import type { LucideIcon } from 'lucide-react'
import { classNames } from '@/lib/util/class-names'

/** A state as shape, word and color (`className`). The word, not the icon, is on the baseline of the text around it. */
export const IconWord = ({
  icon: Icon,
  className,
  children,
}: {
  icon: LucideIcon
  className: string
  children: string
}) => (
  <span className={classNames('inline-flex items-baseline gap-1.5 whitespace-nowrap text-small', className)}>
    <Icon size={13} aria-hidden className="flex-none self-center" />
    {children}
  </span>
)
