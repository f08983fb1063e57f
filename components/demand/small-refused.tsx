import { useChartClock } from '@/components/charts/chart-clock'
import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import { formatNoun } from '@/lib/util/format'
import type { RefusedPoint } from './refused-point'

/** Its points are days. */
const DAY_SECONDS = 86_400
const SIZE = { width: 600, height: 40 }

/** Servers refused day by day without axes, as wide as its panel; all of them stand on the page of the capacity. */
export const SmallRefused = ({
  points,
  data: { servers, until },
}: {
  points: readonly RefusedPoint[]
  data: Pick<RefusedDemand, 'servers' | 'until'>
}) => {
  const clock = useChartClock(DAY_SECONDS)
  const most = Math.max(1, ...points.map(({ all }) => all))
  const width = SIZE.width / points.length
  return (
    <>
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatNoun(servers, 'server')} refused, at most ${most} in a day`}
        className="block h-10 w-full border-line border-b"
      >
        {points.map(({ at, all }, place) => (
          <rect
            key={at}
            x={place * width + width * 0.1}
            y={SIZE.height * (1 - all / most)}
            width={width * 0.8}
            height={SIZE.height * (all / most)}
            fill="var(--bad)"
          />
        ))}
      </svg>
      <p className="mt-0.5 mb-1.5 flex justify-between gap-2 text-ink3 text-small">
        <span>{clock.day(points[0]?.at ?? Date.parse(until))}</span>
        <span>at most {most} in a day</span>
        <span>
          {clock.day(Date.parse(until) - 1)}, {clock.words}
        </span>
      </p>
    </>
  )
}
