import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { figuresOf } from '@/components/capacity/figures'
import { SmallChart } from '@/components/capacity/small-history'
import { whyNothingDrawn } from '@/components/capacity/why-nothing-drawn'
import { useChartClock } from '@/components/charts/chart-clock'
import { toPoints } from '@/components/charts/chart-point'
import { sinceDays } from '@/components/charts/since-days'
import { byFull } from '@/components/forecast/by-full'
import { EXHAUSTION_STYLES, formatFull } from '@/components/forecast/forecast-text'
import { LoadProblem } from '@/components/shell/load-problem'
import { ReaderClock } from '@/components/shell/reader-clock'
import { useCloud } from '@/components/shell/use-cloud'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { capacityOptions } from '@/lib/api/capacity'
import { forecastOptions } from '@/lib/api/forecast'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { capacityPath } from '@/lib/util/paths'

const MAX_TYPES = 3

/** Full types first, then by the forecast day, then by what is free. */
export const nearestToFull = (groups: readonly ForecastGroup[]): ForecastGroup[] =>
  byFull(groups.filter(({ capacity }) => capacity !== null && capacity > 0)).slice(0, MAX_TYPES)

const TypeRow = ({ group, today }: { group: ForecastGroup; today: string }) => {
  const { cloud } = useCloud()
  const { text, tone } = formatFull(group, today)
  return (
    <Tr>
      <Td>
        <Link
          href={capacityPath({ cloud, search: { tab: 'forecast', by: 'type', key: group.key } })}
          prefetch={false}
          className="font-[550] hover:underline"
        >
          {group.label}
        </Link>
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {group.used === null || group.capacity === null ? (
          <Unknown reason="no data" />
        ) : (
          `${formatCount(group.used)} / ${formatCount(group.capacity)}`
        )}
      </Td>
      <Td className={classNames('text-right', EXHAUSTION_STYLES[tone])}>
        {group.exhaustion?.kind === 'full' ? `full ${text}` : text}
      </Td>
    </Tr>
  )
}

/** The vGPU types that fill up first. */
const NearestToFullPanel = () => {
  const { cloud } = useCloud()
  const query = useQuery(forecastOptions({ cloud, by: 'type', key: null, until: null }))
  const groups = nearestToFull(query.data?.groups ?? [])
  const today = query.data?.until ?? null
  return (
    <Panel
      title="Nearest to full"
      note="vGPU types, highest use of the last 7 days"
      actions={
        <Link
          href={capacityPath({ cloud, search: { tab: 'forecast', by: 'type' } })}
          prefetch={false}
          className="text-small underline"
        >
          View forecast
        </Link>
      }
    >
      <LoadProblem query={query} what="The forecast" />
      {query.isPending && query.error === null ? <Skeleton className="h-20" /> : null}
      {query.data !== undefined && (today === null || groups.length === 0) ? (
        <p className="text-ink2">
          {today === null
            ? 'No forecast yet. A forecast needs six weeks of history.'
            : 'No vGPU type has capacity.'}
        </p>
      ) : null}
      {today === null || groups.length === 0 ? null : (
        <Table aria-label="vGPU types that are nearest to full">
          <thead>
            <tr>
              <Th>Type</Th>
              <Th isNumber>In use</Th>
              <Th className="text-right">Full</Th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <TypeRow key={group.key} group={group} today={today} />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}

const DAYS = 30
/** Six hours each. */
const POINTS = 125

/** `+33 from 398`: the change since the first known value. */
export const changeLabel = (used: readonly (number | null)[]): string | null => {
  const known = used.filter((value) => value !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return null
  const difference = Math.round(last) - Math.round(first)
  const sign = difference > 0 ? '+' : ''
  return `${sign}${formatCount(difference)} from ${formatCount(Math.round(first))}`
}

const Trend = ({ data, series }: { data: Capacity; series: CapacitySeries }) => {
  const clock = useChartClock(data.stepSeconds)
  const { used, peak } = figuresOf(series)
  const points = toPoints(series, data)
  const label = `vGPUs in use over ${DAYS} days: ${formatCount(used ?? 0)} at the end, ${formatCount(peak ?? 0)} at most`
  return (
    <>
      <SmallChart points={points} label={label} />
      <p className="mt-0.5 flex justify-between text-ink3 text-small">
        <span>{clock.day(points[0]?.at ?? Date.parse(data.from))}</span>
        <span>{changeLabel(series.used)}</span>
        <span>{clock.day(Date.parse(data.until) - 1)}</span>
      </p>
    </>
  )
}

const TrendBody = ({ data }: { data: Capacity }) => {
  const [series] = data.series
  const reason = whyNothingDrawn({ data, series, isHeld: false }, DAYS)
  return series === undefined || reason !== null ? (
    <p className="text-ink2">{reason}</p>
  ) : (
    <Trend data={data} series={series} />
  )
}

/** vGPUs in use under the capacity. */
const UsageTrendPanel = () => {
  const { cloud } = useCloud()
  const [from] = useState(() => sinceDays(DAYS))
  const query = useQuery(capacityOptions({ cloud, by: 'all', key: null, from, until: null, points: POINTS }))
  return (
    <Panel
      title="In use"
      note={`vGPUs, ${DAYS} days, dashed: capacity`}
      actions={
        <Link href={capacityPath({ cloud })} prefetch={false} className="text-small underline">
          View capacity
        </Link>
      }
    >
      <LoadProblem query={query} what="The history" />
      {query.isPending && query.error === null ? <Skeleton className="h-20" /> : null}
      {query.data === undefined ? null : <TrendBody data={query.data} />}
    </Panel>
  )
}

/** What fills up first, and the use of the last 30 days. */
export const TrendPanels = () => (
  <div className="mb-3.5 grid items-start gap-x-4 gap-y-3.5 lg:grid-cols-2">
    <NearestToFullPanel />
    <ReaderClock>
      <UsageTrendPanel />
    </ReaderClock>
  </div>
)
