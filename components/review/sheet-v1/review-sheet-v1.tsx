import type { Review } from '@/lib/schemas/api/review'
import type { ReviewContentV1 } from '@/lib/schemas/api/review-content'
import { formatCount, formatNoun } from '@/lib/util/format'
import { hourIn } from '../review-words'
import { ReviewFrame } from '../sheet/review-frame'
import { drawMarksV1 } from './marks-v1'

const usageNotes = ({ utilisation, period }: ReviewContentV1): string[] => {
  if (!utilisation.isKnown) return [`not known: ${utilisation.because}`]
  const { peak, at } = utilisation
  return [`peak ${formatCount(Math.round(peak))} %${at === null ? '' : `, ${hourIn(at, period.timeZone)}`}`]
}

const idleNotes = ({ idle }: ReviewContentV1): (string | null)[] =>
  idle.isKnown
    ? [
        `under ${idle.belowPercent} % for ${formatNoun(idle.days, 'day')}`,
        idle.projects[0] === undefined
          ? null
          : `${formatCount(idle.projects[0].vgpus)} of them in ${idle.projects[0].label}`,
        idle.untold === 0 ? null : `of ${formatCount(idle.untold)} nobody can tell`,
      ]
    : [`not known: ${idle.because}`]

type Props = Pick<Review, 'region' | 'frozen' | 'closesAt'> & { content: ReviewContentV1 }

/**
 * A review of content version 1. The display is part of the reported content: a later version of the content gets a
 * separate sheet, and this one stays unchanged.
 */
export const ReviewSheetV1 = (props: Props) => (
  <ReviewFrame
    {...props}
    drawMarks={drawMarksV1}
    usageNotes={usageNotes(props.content)}
    idleNotes={idleNotes(props.content)}
  />
)
