import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useState } from 'react'
import { useChartClock } from '@/components/charts/chart-clock'
import { type ChartPoint, toPoints } from '@/components/charts/chart-point'
import { gapsOf } from '@/components/charts/gaps-of'
import { sinceDays } from '@/components/charts/since-days'
import { areaPath, linePath, runsOf } from '@/components/charts/small-paths'
import { LoadProblem } from '@/components/shell/load-problem'
import { ReaderClock } from '@/components/shell/reader-clock'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { capacityOptions } from '@/lib/api/capacity'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { capacityPath } from '@/lib/util/paths'
import { vgpus } from './capacity-labels'
import { figuresOf } from './figures'
import { whyNothingDrawn } from './why-nothing-drawn'

const SIZE = { width: 600, height: 64 }

/** Use under capacity without axes, as wide as its panel; time without data is grey. The table has the numbers. */
export const SmallChart = ({ points, label }: { points: readonly ChartPoint[]; label: string }) => {
  const used = points.map((point) => point.used)
  const capacity = points.map((point) => point.capacity)
  const max = Math.max(1, ...[...used, ...capacity].map((value) => value ?? 0))
  const size = { max, ...SIZE }
  const scaled = { vectorEffect: 'non-scaling-stroke', fill: 'none' } as const
  return (
    <svg
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="block h-16 w-full"
    >
      {gapsOf(used).map(({ from, until }) => (
        <rect
          key={from}
          x={(from / used.length) * SIZE.width}
          width={((until - from) / used.length) * SIZE.width}
          height={SIZE.height}
          fill="var(--line2)"
        />
      ))}
      {runsOf(used, size).map((corners) => (
        <g key={corners[0]?.x}>
          <path d={areaPath(corners, SIZE.height)} fill="var(--accent2)" />
          <path d={linePath(corners)} stroke="var(--accent)" strokeWidth="1.6" {...scaled} />
        </g>
      ))}
      {runsOf(capacity, size).map((corners) => (
        <path
          key={corners[0]?.x}
          d={linePath(corners)}
          stroke="var(--ink)"
          strokeWidth="1.2"
          strokeDasharray="4 2"
          {...scaled}
        />
      ))}
    </svg>
  )
}

/** Behind a click, and so fetched after the page. */
const PointTable = dynamic(() => import('./point-table').then((module) => module.PointTable), { ssr: false })

const DAYS = 30
/** Six hours each, the finest resolution of a chart of this size. */
const POINTS = 125

/** What a small history is of. */
export type HistoryOf =
  | { by: 'host'; host: string }
  | { by: 'pgpu'; host: string; address: string }
  | { by: 'flavor' | 'project'; key: string }

const questionOf = (of: HistoryOf) => {
  if ('key' in of) return { by: of.by, key: of.key }
  return { by: of.by, key: null, host: of.host, address: of.by === 'pgpu' ? of.address : null }
}

const searchOf = (of: HistoryOf): Record<string, string> => {
  if ('key' in of) return { by: of.by, key: of.key }
  return of.by === 'pgpu' ? { host: of.host, address: of.address } : { host: of.host }
}

const wordsOf = (series: CapacitySeries, isHeld: boolean): string => {
  const { used, peak, capacity, average } = figuresOf(series)
  return [
    `${vgpus(used)} used recently`,
    `${vgpus(average)} on average`,
    `${vgpus(peak)} at most`,
    ...(isHeld || capacity === null ? [] : [`capacity ${vgpus(capacity)}`]),
  ].join(', ')
}

const Known = ({ data, series, isHeld }: { data: Capacity; series: CapacitySeries; isHeld: boolean }) => {
  const words = wordsOf(series, isHeld)
  const clock = useChartClock(data.stepSeconds)
  const points = toPoints(series, data)
  return (
    <>
      <p className="mb-1.5 text-ink2">{words}</p>
      <SmallChart points={points} label={`vGPUs used in ${DAYS} days: ${words}`} />
      <p className="mt-0.5 flex justify-between text-ink3 text-small">
        <span>{clock.day(points[0]?.at ?? Date.parse(data.from))}</span>
        <span>{clock.day(Date.parse(data.until) - 1)}</span>
      </p>
      <details className="mt-1">
        <summary className="cursor-pointer text-ink2 text-small">As a table</summary>
        <PointTable points={points} stepSeconds={data.stepSeconds} isHeld={isHeld} />
      </details>
    </>
  )
}

const Drawn = ({ data, isHeld }: { data: Capacity; isHeld: boolean }) => {
  const [series] = data.series
  const why = whyNothingDrawn({ data, series, isHeld }, DAYS)
  return series === undefined || why !== null ? (
    <p className="text-ink2">{why}</p>
  ) : (
    <Known data={data} series={series} isHeld={isHeld} />
  )
}

const History = ({ cloud, of }: { cloud: string | null; of: HistoryOf }) => {
  const [from] = useState(() => sinceDays(DAYS))
  const query = useQuery(capacityOptions({ cloud, ...questionOf(of), from, until: null, points: POINTS }))
  const { data, error } = query
  const { words } = useChartClock(data?.stepSeconds ?? 0)
  return (
    <Panel
      title="History"
      note={`vGPUs, ${DAYS} days, times in ${words}`}
      actions={
        <Link
          href={capacityPath({ cloud, search: searchOf(of) })}
          prefetch={false}
          className="text-accent-ink text-small underline"
        >
          Capacity
        </Link>
      }
    >
      <LoadProblem query={query} what="The history" />
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-28" />
        ) : null
      ) : (
        <Drawn data={data} isHeld={of.by === 'flavor' || of.by === 'project'} />
      )}
    </Panel>
  )
}

/**
 * The last 30 days of a pGPU, a host, a flavor or a project: used and capacity as a small chart, with a link to the page.
 */
export const SmallHistory = (props: { cloud: string | null; of: HistoryOf }) => (
  <ReaderClock>
    <History {...props} />
  </ReaderClock>
)
