import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import { IconWord } from '@/components/ui/icon-word'
import type { RebootServer } from '@/lib/schemas/api/reboot'
import { FATE_WORDS } from './reboot-words'

const LOOKS: Record<RebootServer['fate'], { icon: LucideIcon; tone: string }> = {
  lost: { icon: CircleX, tone: 'text-bad' },
  unknown: { icon: CircleHelp, tone: 'text-warn' },
  returns: { icon: CircleCheck, tone: 'text-ink2' },
}

/** Whether a server returns after a reboot, as shape, word and color. */
export const FateMark = ({ fate }: { fate: RebootServer['fate'] }) => {
  const { icon, tone } = LOOKS[fate]
  return (
    <IconWord icon={icon} className={tone}>
      {FATE_WORDS[fate]}
    </IconWord>
  )
}
