import type { DrawMarks } from '../sheet/period-chart'

/** Labels of marks that are nearer than this leave one out; its line stays. */
const LABEL_WIDTH = 64

/** As in the first version of reviews; do not change it. */
export const drawMarksV1: DrawMarks = (marks, x, plot) => {
  let labelled = Number.NEGATIVE_INFINITY
  return (
    <>
      {marks.map(({ at, label }) => {
        const place = x(Date.parse(at))
        const hasLabel = place - labelled >= LABEL_WIDTH
        if (hasLabel) labelled = place
        const isLate = place > plot.right - LABEL_WIDTH
        return (
          <g key={`${at} ${label}`} stroke="var(--warn)">
            <line x1={place} x2={place} y1={plot.top} y2={plot.bottom} strokeDasharray="3 3" />
            {hasLabel ? (
              <text
                x={isLate ? place - 4 : place + 4}
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
