import { classNames } from '@/lib/util/class-names'
import { formatNoun } from '@/lib/util/format'

/** "3 stranded". */
export const StrandedNote = ({
  count,
  isWhole,
  isOld,
}: {
  count: number
  isWhole: boolean
  isOld: boolean
}) => (
  <span
    className={classNames('mr-2 inline-block text-small', !isOld && 'text-warn')}
    title={`${formatNoun(count, isWhole ? 'card' : 'vGPU')} free in hardware, but no flavor can use it`}
  >
    {count} stranded
  </span>
)
