import type { TooltipContentProps } from 'recharts'
import { formatCount } from '@/lib/util/format'
import { CHART_LAYERS } from './chart-layers'
import { pointMoment } from './chart-moments'
import type { ChartPoint } from './chart-point'
import type { ChartMark } from './place-mark-labels'

const figure = (value: number): string => formatCount(Math.round(value * 10) / 10)

/** What the pointer is on: the numbers of a point, and the marks in it. */
export const PointWords = ({
  active,
  payload,
  stepSeconds,
  marks,
}: Pick<TooltipContentProps, 'active' | 'payload'> & {
  stepSeconds: number
  marks: readonly ChartMark[]
}) => {
  const point = payload[0]?.payload as ChartPoint | undefined
  if (!active || point === undefined) return null
  const within = marks.filter(({ at }) => at >= point.at && at < point.at + stepSeconds * 1000)
  return (
    <div className="max-w-80 rounded-control border border-line bg-panel px-2.5 py-1.5 text-small shadow-float">
      <p className="mb-0.5 font-semibold">{pointMoment(point.at, stepSeconds)}</p>
      {point.used === null ? (
        <p className="text-ink2">Nobody watched: nothing is known.</p>
      ) : (
        <dl className="grid grid-cols-[auto_auto] gap-x-3 tabular-nums">
          {[{ name: 'capacity', word: 'capacity' } as const, ...CHART_LAYERS].map(({ name, word }) => {
            const value = point[name]
            return value === null || (value === 0 && name !== 'used') ? null : (
              <div key={name} className="contents">
                <dt className="text-ink2">{word}</dt>
                <dd className="text-right">{figure(value)}</dd>
              </div>
            )
          })}
          {point.usedMax === null ? null : (
            <div className="contents">
              <dt className="text-ink2">most used at once</dt>
              <dd className="text-right">{figure(point.usedMax)}</dd>
            </div>
          )}
          {point.before === undefined || point.before === null ? null : (
            <div className="contents">
              <dt className="text-ink2">used in the earlier range</dt>
              <dd className="text-right">{figure(point.before)}</dd>
            </div>
          )}
        </dl>
      )}
      {within.map(({ number, label }) => (
        <p key={number} className="mt-0.5">
          {number} {label}
        </p>
      ))}
    </div>
  )
}
