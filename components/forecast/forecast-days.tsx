import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { saveAsPng, saveAsSvg } from '@/components/charts/save-chart'
import { LoadProblem } from '@/components/shell/load-problem'
import { Button } from '@/components/ui/button'
import { downloadText } from '@/components/ui/download-text'
import { Skeleton } from '@/components/ui/skeleton'
import { forecastOptions } from '@/lib/api/forecast'
import type { ForecastBy, ForecastGroup } from '@/lib/schemas/api/forecast'
import { formatCount, formatNoun } from '@/lib/util/format'
import { ForecastDaysTable } from './forecast-days-table'
import { forecastCsv, forecastPoints } from './forecast-points'
import { dayWords, noneWords } from './forecast-words'
import { LazyForecastChart } from './lazy-forecast-chart'

const LEGEND = [
  { word: 'most used at once', swatch: 'var(--accent)' },
  {
    word: 'four of five lie here',
    swatch: 'repeating-linear-gradient(45deg, var(--accent) 0 1px, var(--accent2) 1px 5px)',
  },
] as const

const Legend = () => (
  <ul
    aria-label="Legend of the forecast"
    className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small"
  >
    {LEGEND.map(({ word, swatch }) => (
      <li key={word} className="flex items-center gap-1.5">
        <span
          aria-hidden
          className="size-3 rounded-[3px] border border-edge"
          style={{ background: swatch }}
        />
        {word}
      </li>
    ))}
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="h-0 w-4 border-accent-ink border-t-2 border-dashed" /> likely
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="h-0 w-3 border-ink border-t-2" /> capacity
    </li>
  </ul>
)

const Proof = ({ group, today }: { group: ForecastGroup; today: string }) => (
  <div className="mt-2 text-ink2 text-small">
    {group.none === null ? null : <p>{noneWords(group.none, today).because}</p>}
    {group.errors.map(({ days, forecasts, forecast, lastValue, lastWeek }) => (
      <p key={days}>
        {days} days ahead, tried from {formatNoun(forecasts, 'day')} of the past: typically off by{' '}
        {formatCount(forecast)} vGPUs, the last day’s value by {formatCount(lastValue)}, that of the last week
        by {formatCount(lastWeek)}.
      </p>
    ))}
    {group.atEnd === null ? null : (
      <p>
        On {dayWords(group.atEnd.day, today)} likely {formatCount(group.atEnd.likely)}, in four of five cases{' '}
        {formatCount(group.atEnd.low)} to {formatCount(group.atEnd.high)}, if nothing comes or leaves at once.
      </p>
    )}
  </div>
)

/** One group's daily peaks and how they go on, as a chart, a table and files. */
export const ForecastDays = ({
  cloud,
  by,
  group,
  today,
}: {
  cloud: string | null
  by: ForecastBy
  group: ForecastGroup
  today: string
}) => {
  const query = useQuery(forecastOptions({ cloud, by, key: group.key }))
  const frame = useRef<HTMLDivElement>(null)
  const [isTable, setIsTable] = useState(false)
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
  const save = (write: typeof saveAsSvg | typeof saveAsPng) => () => {
    const drawing = frame.current?.querySelector('svg')
    if (drawing != null) void write({ drawing, title: `${title}, vGPUs, days in UTC`, name })
  }
  return (
    <section aria-label={title} className="mt-3 border-line border-t pt-3">
      <div className="mb-2 flex flex-wrap items-baseline gap-2">
        <h3 className="m-0 font-semibold">{title}</h3>
        <span className="text-ink3 text-small">daily peaks, vGPUs, UTC</span>
        <div className="ml-auto flex flex-wrap gap-2">
          <Button size="small" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {isTable ? 'As a chart' : 'As a table'}
          </Button>
          <Button
            size="small"
            onClick={() => downloadText({ name: `${name}.csv`, type: 'text/csv', text: forecastCsv(points) })}
          >
            CSV
          </Button>
          <Button size="small" isUnavailable={isTable} onClick={save(saveAsPng)}>
            PNG
          </Button>
          <Button size="small" isUnavailable={isTable} onClick={save(saveAsSvg)}>
            SVG
          </Button>
        </div>
      </div>
      {isTable ? (
        <ForecastDaysTable points={points} />
      ) : (
        <div ref={frame} role="img" aria-label={`${title}; its numbers stand in the table`}>
          <LazyForecastChart points={points} label={title} />
        </div>
      )}
      <Legend />
      <Proof group={group} today={today} />
    </section>
  )
}
