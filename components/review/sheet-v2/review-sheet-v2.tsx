import { arrangeLabels } from '@/lib/domain/review/arrange-labels'
import type { Review } from '@/lib/schemas/api/review'
import type { ReviewContent, ReviewContentV1 } from '@/lib/schemas/api/review-content'
import { formatCount, formatNoun } from '@/lib/util/format'
import { dayIn, hourIn } from '../review-text'
import type { DrawMarks } from '../sheet/period-chart'
import { ReviewFrame } from '../sheet/review-frame'
import { sheetTexts } from '../sheet-texts'

const [ROWS, ROW_HEIGHT, GAP] = [3, 12, 4]
/** No letter of the chart's font is wider on average. */
const LETTER_WIDTH = 6.4
const MAX_LETTERS = 24

const shortLabel = (label: string): string => {
  const short = label.slice(0, label.indexOf(':'))
  return short.length > MAX_LETTERS ? `${short.slice(0, MAX_LETTERS - 1)}…` : short
}
const foldedText = (count: number): string => `+${count} more`
const widthOf = (words: string): number => words.length * LETTER_WIDTH

/** A line for each mark, and their labels in rows above the foot of the curves, the lowest first. */
const drawMarksV2: DrawMarks = (marks, x, plot) => {
  const lines = marks.map(({ at, label }) => ({ key: `${at} ${label}`, x: x(Date.parse(at)), label }))
  const { placed, folded } = arrangeLabels(
    lines.map((line) => ({ x: line.x, width: widthOf(shortLabel(line.label)) })),
    {
      left: plot.left,
      right: plot.right,
      rows: ROWS,
      gap: GAP,
      foldedWidth: (count) => widthOf(foldedText(count)),
    },
  )
  const labels = [
    ...placed.map(({ mark, ...position }) => ({ ...position, words: shortLabel(lines[mark]?.label ?? '') })),
    ...folded.map(({ count, ...position }) => ({ ...position, words: foldedText(count) })),
  ]
  return (
    <g>
      {lines.map((line) => (
        <line
          key={line.key}
          x1={line.x}
          x2={line.x}
          y1={plot.top}
          y2={plot.bottom}
          stroke="var(--warn)"
          strokeDasharray="3 3"
        >
          <title>{line.label}</title>
        </line>
      ))}
      {labels.map(({ row, left, words }) => (
        <text
          key={`${row} ${left}`}
          x={left.toFixed(1)}
          y={plot.bottom - 5 - row * ROW_HEIGHT}
          className="review-mark"
        >
          {words}
        </text>
      ))}
    </g>
  )
}

type Content = Exclude<ReviewContent, ReviewContentV1>

const usageNotes = ({ version, utilisation: utilization, period }: Content): (string | null)[] => {
  if (!utilization.isKnown) return [sheetTexts({ version }).unknown(utilization.because)]
  const { peak, at, pgpus } = utilization
  const all = pgpus.measured + pgpus.unmeasured
  return [
    `peak ${formatCount(Math.round(peak))} %${at === null ? '' : `, ${hourIn(at, period.timeZone)}`}`,
    pgpus.unmeasured === 0
      ? null
      : `${formatCount(pgpus.measured)} of ${formatNoun(all, 'pGPU')} measured, ${formatCount(pgpus.unmeasured)} not`,
  ]
}

/** Days of idle time are those of UTC. */
const idleDay = (since: string): string => `${dayIn(since, 'UTC')} ${since.slice(0, 4)}`

const idleNotes = ({ version, idle }: Content): (string | null)[] => {
  const texts = sheetTexts({ version })
  if (!idle.isKnown) return [texts.unknown(idle.because)]
  const [project, longest] = [idle.projects[0], idle.longest[0]]
  return [
    `under ${idle.belowPercent} % for ${formatNoun(idle.days, 'day')}`,
    project === undefined ? null : `${formatCount(project.vgpus)} of them in ${project.label}`,
    longest === undefined ? null : texts.longest({ ...longest, since: idleDay(longest.since) }),
    idle.untold.length === 0 ? null : texts.unmeasured(idle.held, idle.untold),
  ]
}

/** `by type: L40S-24Q 12, T4-16C 9, others 4`; older reviews without these values have none. */
const refusedNotes = ({ refused: { types } }: Content): (string | null)[] => {
  if (types === undefined || types.rows.length === 0) return []
  const byType = types.rows.map(({ label, servers }) => `${label ?? 'unknown type'} ${formatCount(servers)}`)
  const others = types.others === 0 ? [] : [`others ${formatCount(types.others)}`]
  return [`by type: ${[...byType, ...others].join(', ')}`]
}

type Props = Pick<Review, 'region' | 'frozen' | 'closesAt'> & { content: Content }

/**
 * A review of content version 2 and later: version 3 has other totals, and version 4 other texts. Frozen reviews keep their
 * look.
 */
export const ReviewSheetV2 = (props: Props) => (
  <ReviewFrame
    {...props}
    drawMarks={drawMarksV2}
    usageNotes={usageNotes(props.content)}
    idleNotes={idleNotes(props.content)}
    refusedNotes={refusedNotes(props.content)}
  />
)
