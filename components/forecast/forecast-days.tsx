import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ChartOrTable, ChartTools, useChartView } from '@/components/charts/chart-tools'
import { Legend, type LegendKey } from '@/components/charts/legend'
import { LoadProblem } from '@/components/shell/load-problem'
import { Button } from '@/components/ui/button'
import { downloadText } from '@/components/ui/download-text'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { forecastOptions } from '@/lib/api/forecast'
import type { ForecastBy, ForecastGroup } from '@/lib/schemas/api/forecast'
import { formatCount, formatNoun } from '@/lib/util/format'
import { type ForecastPoint, forecastCsv, forecastPoints } from './forecast-points'
import { formatDay, noForecastText } from './forecast-text'
import { LazyForecastChart } from './lazy-forecast-chart'

const Figure = ({ value }: { value: number | null }) => (value === null ? null : formatCount(value))

/** The points as a table, day by day. */
const ForecastDaysTable = ({ points }: { points: readonly ForecastPoint[] }) => {
  const { first, more } = useMoreRows(points, 60)
  return (
    <>
      <SideScroll>
        <Table aria-label="Days of the forecast">
          <thead>
            <tr>
              <Th>Day (UTC)</Th>
              <Th isNumber>Daily peak</Th>
              <Th isNumber>Likely</Th>
              <Th isNumber>80% range</Th>
              <Th isNumber>Capacity</Th>
            </tr>
          </thead>
          <tbody>
            {first.map(({ at, used, likely, range, capacity }) => (
              <Tr key={at}>
                <Td className="whitespace-nowrap">{new Date(at).toISOString().slice(0, 10)}</Td>
                <Td isNumber>
                  {used === null && likely === null ? <Unknown reason="no data" /> : <Figure value={used} />}
                </Td>
                <Td isNumber>
                  <Figure value={likely} />
                </Td>
                <Td isNumber className="whitespace-nowrap">
                  {range?.map(formatCount).join(' to ')}
                </Td>
                <Td isNumber>
                  <Figure value={capacity} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}

const KEYS: readonly LegendKey[] = [
  { word: 'daily peak', fill: 'var(--accent)', swatch: 'var(--accent)' },
  {
    word: '80% range',
    fill: 'url(#forecast-range)',
    swatch: 'repeating-linear-gradient(45deg, var(--accent) 0 1px, var(--accent2) 1px 5px)',
  },
  { word: 'likely', colour: 'accent-ink', dash: 'dashed' },
  { word: 'capacity', colour: 'ink' },
]

const Proof = ({ group, today }: { group: ForecastGroup; today: string }) => (
  <div className="mt-2 text-ink2 text-small">
    {group.none === null ? null : <p>{noForecastText(group.none, today).because}</p>}
    {group.errors.map(({ days, forecasts, forecast, lastValue, lastWeek }) => (
      <p key={days}>
        {days} days ahead, back-tested on {formatNoun(forecasts, 'day')}: the typical error is{' '}
        {formatNoun(forecast, 'vGPU')}. With the last day’s value, it is {formatCount(lastValue)}; with that
        of the last week, {formatCount(lastWeek)}.
      </p>
    ))}
    {group.weak === null || group.weak.atEnd === null ? null : (
      <p>
        Weak signal: a straight line reaches {formatCount(group.weak.atEnd.likely)} on{' '}
        {formatDay(group.weak.atEnd.day, today)}, 80% range {formatCount(group.weak.atEnd.low)} to{' '}
        {formatCount(group.weak.atEnd.high)}.
      </p>
    )}
    {group.atEnd === null ? null : (
      <p>
        Expected on {formatDay(group.atEnd.day, today)}: {formatCount(group.atEnd.likely)}, 80% range{' '}
        {formatCount(group.atEnd.low)} to {formatCount(group.atEnd.high)}, without sudden changes.
      </p>
    )}
  </div>
)

/** One group's daily peaks and their forecast, as a chart, a table and files. */
export const ForecastDays = ({
  cloud,
  by,
  group,
  today,
  until,
}: {
  cloud: string | null
  by: ForecastBy
  group: ForecastGroup
  today: string
  /** The end of the range of the page; null: now. */
  until: string | null
}) => {
  const query = useQuery(forecastOptions({ cloud, by, key: group.key, until }))
  const view = useChartView()
  const days = query.data?.groups.find(({ key }) => key === group.key)?.days ?? null
  const points = useMemo(() => (days === null ? null : forecastPoints(days)), [days])
  if (points === null)
    return query.error === null ? (
      <Skeleton className="h-[240px]" />
    ) : (
      <LoadProblem query={query} what="The forecast" />
    )
  const title = `Forecast of ${group.label === '' ? 'all vGPUs' : group.label}`
  const name = `sliceboard-${query.data?.cloud ?? 'cloud'}-forecast-${group.key || 'all'}-${today}`
  return (
    <section aria-label={title} className="mt-3 border-line border-t pt-3">
      <div className="mb-2 flex flex-wrap items-baseline gap-2">
        <h3 className="m-0 font-semibold">{title}</h3>
        <span className="text-ink3 text-small">daily peaks, vGPUs, UTC</span>
        <div className="ml-auto">
          <ChartTools
            view={view}
            title={`${title}, vGPUs, ${query.data?.cloud ?? 'cloud'}, as of ${today}, days in UTC`}
            keys={KEYS}
            name={name}
          >
            <Button
              size="small"
              onClick={() =>
                downloadText({ name: `${name}.csv`, type: 'text/csv', text: forecastCsv(points) })
              }
            >
              CSV
            </Button>
          </ChartTools>
        </div>
      </div>
      <ChartOrTable view={view} label={title} table={<ForecastDaysTable points={points} />}>
        <LazyForecastChart points={points} label={title} />
      </ChartOrTable>
      <Legend label="Legend of the forecast" keys={KEYS} />
      <Proof group={group} today={today} />
    </section>
  )
}
