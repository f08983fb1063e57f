import { type ReactNode, useSyncExternalStore } from 'react'
import { gapsOf } from '@/components/charts/gaps-of'
import type { ReviewContent } from '@/lib/schemas/api/review-content'
import { formatCount } from '@/lib/util/format'
import { dayIn } from '../review-text'
import { type SheetTexts, sheetTexts } from '../sheet-texts'

const HEIGHT = 214
/** On paper and wide screens, and on narrow ones, where the letters of the wide one could not be read. */
const [WIDE, NARROW] = [700, 340]
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 8, 26, 22]
const INNER_HEIGHT = HEIGHT - TOP - BOTTOM
const TICKS = 4
const DAY_MS = 86_400_000

type Chart = ReviewContent['chart']
/** Where the curves are, for what is drawn over them. */
type Plot = { left: number; right: number; top: number; bottom: number }
/** Draws marks over the curves; `x`: where a moment (ms) is. */
export type DrawMarks = (marks: Chart['marks'], x: (at: number) => number, plot: Plot) => ReactNode

type Scale = {
  x: (index: number) => number
  y: (value: number) => number
  top: number
  step: number
  plot: Plot
}

/** The least round step by which the ticks reach over `most`. */
const tickStep = (max: number): number => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(max, 1) / TICKS))
  const step = [1, 2, 5, 10].map((times) => times * unit).find((each) => each * TICKS >= max) ?? unit * 10
  return Math.max(1, step)
}

const scaleOf = ({ used, capacity, unseen }: Chart, width: number): Scale => {
  const plot = { left: LEFT, right: width - RIGHT, top: TOP, bottom: TOP + INNER_HEIGHT }
  const tops = capacity.map((value, index) => (value ?? 0) + (unseen[index] ?? 0))
  const max = Math.max(1, ...used.map((value) => value ?? 0), ...tops)
  const step = tickStep(max)
  const top = Math.ceil(max / step) * step
  return {
    step,
    top,
    plot,
    x: (index) => LEFT + (index / used.length) * (plot.right - LEFT),
    y: (value) => TOP + INNER_HEIGHT * (1 - value / top),
  }
}

type Run<Value = number> = { begin: number; values: Value[] }

/** Runs of known values: a gap is left open. */
const runsOf = <Value,>(values: readonly (Value | null)[]): Run<Value>[] => {
  const runs: Run<Value>[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const last = runs.at(-1)
    if (last !== undefined && last.begin + last.values.length === index) last.values.push(value)
    else runs.push({ begin: index, values: [value] })
  }
  return runs
}

/** Steps, as each value holds for the whole point. */
const stepPath = ({ begin, values }: Run, { x, y }: Scale): string =>
  values
    .map((value, index) => {
      const [from, to, at] = [x(begin + index), x(begin + index + 1), y(value)]
      return `${index === 0 ? 'M' : 'L'}${from.toFixed(1)} ${at.toFixed(1)}H${to.toFixed(1)}`
    })
    .join('')

const areaPath = (run: Run, scale: Scale): string =>
  `${stepPath(run, scale)}V${(TOP + INNER_HEIGHT).toFixed(1)}H${scale.x(run.begin).toFixed(1)}Z`

const Grid = ({ scale }: { scale: Scale }) => (
  <>
    {Array.from({ length: Math.round(scale.top / scale.step) + 1 }, (_, index) => index * scale.step).map(
      (value) => (
        <g key={value}>
          <line
            x1={LEFT}
            x2={scale.plot.right}
            y1={scale.y(value)}
            y2={scale.y(value)}
            stroke="var(--line2)"
          />
          <text x={LEFT - 8} y={scale.y(value) + 4} textAnchor="end">
            {formatCount(value)}
          </text>
        </g>
      ),
    )}
  </>
)

/** A day's name each week, or each month of a quarter; at the begin of the day by the clocks of the zone. */
const Days = ({
  content,
  x,
  isNarrow,
}: {
  content: ReviewContent
  x: (at: number) => number
  isNarrow: boolean
}) => {
  const { kind, from, until, timeZone } = content.period
  const days = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)
  const every = (kind === 'month' ? 7 : 14) * (isNarrow ? 2 : 1)
  return (
    <>
      {Array.from({ length: Math.ceil(days / every) }, (_, index) => index * every).map((day) => {
        // Noon, so that an hour of summer time does not make it another day.
        const at = Date.parse(from) + day * DAY_MS
        return (
          <text key={day} x={x(at)} y={HEIGHT - 6} textAnchor={day === 0 ? 'start' : 'middle'}>
            {dayIn(at + DAY_MS / 2, timeZone)}
          </text>
        )
      })}
    </>
  )
}

/** The last known capacity of hosts without data, on top of that with data. */
const Unseen = ({ chart, scale }: { chart: Chart; scale: Scale }) => {
  const parts = chart.unseen.map((unseen, index) => {
    const capacity = chart.capacity[index] ?? null
    return unseen === null || unseen === 0 || capacity === null ? null : { capacity, top: capacity + unseen }
  })
  return runsOf(parts).map(({ begin, values }) => {
    const upper = stepPath({ begin, values: values.map(({ top }) => top) }, scale)
    const lower = values
      .map(({ capacity }, index) => {
        const [from, to] = [scale.x(begin + index).toFixed(1), scale.x(begin + index + 1).toFixed(1)]
        return `L${to} ${scale.y(capacity).toFixed(1)}H${from}`
      })
      .toReversed()
      .join('')
    return (
      <path
        key={begin}
        d={`${upper}${lower}Z`}
        fill="url(#review-gap)"
        stroke="var(--edge)"
        strokeWidth="0.6"
      />
    )
  })
}

const Legend = ({ hasGaps, texts }: { hasGaps: boolean; texts: SheetTexts }) => (
  <g transform={`translate(${LEFT} 4)`}>
    <rect width="12" height="9" fill="url(#review-used)" stroke="var(--accent)" />
    <text x="17" y="9">
      {texts.chartUsed}
    </text>
    <line x1="96" x2="110" y1="5" y2="5" stroke="var(--ink)" strokeWidth="1.6" />
    <text x="115" y="9">
      capacity
    </text>
    {hasGaps ? (
      <>
        <rect x="174" width="12" height="9" fill="url(#review-gap)" stroke="var(--edge)" />
        <text x="191" y="9">
          {texts.chartGap}
        </text>
      </>
    ) : null}
  </g>
)

const NARROW_SCREEN = 'screen and (max-width: 639px)'
const isWide = (): boolean => false

const listenForWidth = (changed: () => void): (() => void) => {
  const query = window.matchMedia(NARROW_SCREEN)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Peak use and capacity over the period, drawn without a library, so that an upgrade never changes a final review. */
export const PeriodChart = ({
  content,
  label,
  drawMarks,
}: {
  content: ReviewContent
  label: string
  drawMarks: DrawMarks
}) => {
  const isNarrow = useSyncExternalStore(
    listenForWidth,
    () => window.matchMedia(NARROW_SCREEN).matches,
    isWide,
  )
  const width = isNarrow ? NARROW : WIDE
  const { chart } = content
  const scale = scaleOf(chart, width)
  const lengthMs = chart.used.length * chart.stepSeconds * 1000
  const x = (at: number): number => scale.x(((at - Date.parse(chart.from)) / lengthMs) * chart.used.length)
  const last = chart.capacity.findLastIndex((value) => value !== null)
  const lastCapacity = chart.capacity[last] ?? null
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
      className="review-chart block h-auto w-full max-w-[900px]"
    >
      <defs>
        <pattern
          id="review-used"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" fill="var(--accent2)" />
          <line x1="0" x2="0" y1="0" y2="5" stroke="var(--accent)" strokeWidth="1" opacity="0.45" />
        </pattern>
        <pattern id="review-gap" width="6" height="6" patternUnits="userSpaceOnUse">
          <circle cx="3" cy="3" r="0.9" fill="var(--edge)" />
        </pattern>
      </defs>
      <Grid scale={scale} />
      {gapsOf(chart.used).map(({ from, until }) => (
        <rect
          key={from}
          x={scale.x(from)}
          y={TOP}
          width={scale.x(until) - scale.x(from)}
          height={INNER_HEIGHT}
          fill="url(#review-gap)"
        />
      ))}
      <Unseen chart={chart} scale={scale} />
      <Legend
        hasGaps={chart.used.includes(null) || chart.unseen.some((value) => (value ?? 0) > 0)}
        texts={sheetTexts(content)}
      />
      {runsOf(chart.used).map((run) => (
        <g key={run.begin}>
          <path d={areaPath(run, scale)} fill="url(#review-used)" />
          <path d={stepPath(run, scale)} fill="none" stroke="var(--accent)" strokeWidth="1.6" />
        </g>
      ))}
      {runsOf(chart.capacity).map((run) => (
        <path key={run.begin} d={stepPath(run, scale)} fill="none" stroke="var(--ink)" strokeWidth="1.6" />
      ))}
      {drawMarks(chart.marks, x, scale.plot)}
      {lastCapacity === null ? null : (
        <text x={scale.x(last + 1)} y={Math.max(11, scale.y(lastCapacity) - 6)} textAnchor="end">
          capacity {formatCount(Math.round(lastCapacity))}
        </text>
      )}
      <Days content={content} x={x} isNarrow={isNarrow} />
    </svg>
  )
}
