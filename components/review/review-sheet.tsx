import type { Review } from '@/lib/schemas/api/review'
import type { ReviewContentV1 } from '@/lib/schemas/api/review-content'
import { formatCount, formatNoun } from '@/lib/util/format'
import { hourIn } from './review-text'
import type { DrawMarks } from './sheet/period-chart'
import { ReviewFrame } from './sheet/review-frame'
import { ReviewSheetV2 } from './sheet-v2/review-sheet-v2'

/** Labels of marks that are nearer than this leave one out; its line stays. */
const LABEL_WIDTH = 64

/** As in the first version of reviews; do not change it. */
const drawMarksV1: DrawMarks = (marks, x, plot) => {
  let labelled = Number.NEGATIVE_INFINITY
  return (
    <>
      {marks.map(({ at, label }) => {
        const left = x(Date.parse(at))
        const hasLabel = left - labelled >= LABEL_WIDTH
        if (hasLabel) labelled = left
        const isLate = left > plot.right - LABEL_WIDTH
        return (
          <g key={`${at} ${label}`} stroke="var(--warn)">
            <line x1={left} x2={left} y1={plot.top} y2={plot.bottom} strokeDasharray="3 3" />
            {hasLabel ? (
              <text
                x={isLate ? left - 4 : left + 4}
                y={plot.bottom - 5}
                textAnchor={isLate ? 'end' : 'start'}
                className="review-mark"
              >
                {label.slice(0, label.indexOf(':'))}
              </text>
            ) : null}
          </g>
        )
      })}
    </>
  )
}

const usageNotes = ({ utilisation: utilization, period }: ReviewContentV1): string[] => {
  if (!utilization.isKnown) return [`not known: ${utilization.because}`]
  const { peak, at } = utilization
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

/** The sheet of a review's version. */
export const ReviewSheet = ({ content, ...rest }: Review) =>
  content.version === 1 ? (
    <ReviewSheetV1 {...rest} content={content} />
  ) : (
    <ReviewSheetV2 {...rest} content={content} />
  )
