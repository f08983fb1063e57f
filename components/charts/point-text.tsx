import type { TooltipContentProps } from 'recharts'
import { formatCount } from '@/lib/util/format'
import { useChartClock } from './chart-clock'
import { CHART_LAYERS } from './chart-layers'
import type { ChartPoint } from './chart-point'
import type { ChartMark } from './lay-out-mark-labels'
import { PointBox } from './point-box'

const figure = (value: number): string => formatCount(Math.round(value * 10) / 10)
const known = (value: number | null | undefined): string | null => (value == null ? null : figure(value))

/** What the pointer is on: the numbers of a point, and the marks in it. */
export const PointText = ({
  active,
  payload,
  stepSeconds,
  marks,
}: Pick<TooltipContentProps, 'active' | 'payload'> & {
  stepSeconds: number
  marks: readonly ChartMark[]
}) => {
  const clock = useChartClock(stepSeconds)
  const point = payload[0]?.payload as ChartPoint | undefined
  if (!active || point === undefined) return null
  const within = marks.filter(({ at }) => at >= point.at && at < point.at + stepSeconds * 1000)
  const layers = [{ name: 'capacity', word: 'capacity' } as const, ...CHART_LAYERS]
  return (
    <PointBox
      title={clock.moment(point.at, point.endsAt, point.beginsAt)}
      unknown={point.used === null ? 'No data' : null}
      rows={[
        ...layers.map(
          ({ name, word }) =>
            [word, point[name] === 0 && name !== 'used' ? null : known(point[name])] as const,
        ),
        ['peak use', known(point.usedMax)],
        ['in use in the other range', known(point.before)],
      ]}
    >
      {within.map(({ number, label }) => (
        <p key={number} className="mt-0.5">
          {number} {label}
        </p>
      ))}
    </PointBox>
  )
}
