import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import type { RebootServer } from '@/lib/schemas/api/reboot'
import { classNames } from '@/lib/util/class-names'
import { FATE_WORDS } from './reboot-words'

const LOOKS: Record<RebootServer['fate'], { icon: LucideIcon; tone: string }> = {
  lost: { icon: CircleX, tone: 'text-bad' },
  unknown: { icon: CircleHelp, tone: 'text-warn' },
  returns: { icon: CircleCheck, tone: 'text-ink2' },
}

/** Whether a server comes back, as shape, word and colour. */
export const FateMark = ({ fate }: { fate: RebootServer['fate'] }) => {
  const { icon: Icon, tone } = LOOKS[fate]
  return (
    <span className={classNames('inline-flex items-center gap-1.5 whitespace-nowrap text-small', tone)}>
      <Icon size={13} aria-hidden className="flex-none" />
      {FATE_WORDS[fate]}
    </span>
  )
}
