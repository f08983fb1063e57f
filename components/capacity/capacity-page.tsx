'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { ChartClock, useChartClock } from '@/components/charts/chart-clock'
import { pointSpan } from '@/components/charts/chart-point'
import { areaPath, linePath, runsOf } from '@/components/charts/small-paths'
import { LazyDemandPanel } from '@/components/demand/lazy-demand-panel'
import { ForecastPanel } from '@/components/forecast/forecast-panel'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { buttonStyle } from '@/components/ui/button'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { useReveal } from '@/components/ui/use-reveal'
import { IdlePanel } from '@/components/utilization/idle-panel'
import { UtilizationPanel } from '@/components/utilization/utilization-panel'
import { type CapacityQuestion, capacityOptions } from '@/lib/api/capacity'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { formatNoun, formatPercent } from '@/lib/util/format'
import { apiPaths, reviewsPath } from '@/lib/util/paths'
import {
  chosenName,
  dayOf,
  formatGrowth,
  GROUP_LABELS,
  isHeldGroup,
  lastDayOf,
  vgpus,
} from './capacity-labels'
import { type CapacityGroup, capacitySearchParams } from './capacity-search-params'
import { CapacityTools } from './capacity-tools'
import { ChosenPanel } from './chosen-panel'
import { figuresOf } from './figures'
import { type CapacityView, chosenQuestion, useCapacityView } from './use-capacity-view'
import { WeekPanel } from './week-panel'

const SIZE = { width: 120, height: 22 }

/** A row's use under its capacity as a small chart, next to the numbers. */
const Spark = ({
  series,
  begin,
}: {
  series: Pick<CapacitySeries, 'used' | 'capacity'>
  /** The point that it begins with. */
  begin: number
}) => {
  const used = series.used.slice(begin)
  const capacity = series.capacity.slice(begin)
  const max = Math.max(0, ...[...used, ...capacity].map((value) => value ?? 0))
  return (
    <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} {...SIZE} aria-hidden className="block">
      {runsOf(used, { max, ...SIZE }).map((corners) => (
        <g key={corners[0]?.x}>
          <path d={areaPath(corners, SIZE.height)} fill="var(--accent2)" />
          <path d={linePath(corners)} fill="none" stroke="var(--accent)" strokeWidth="1.4" />
        </g>
      ))}
      {runsOf(capacity, { max, ...SIZE }).map((corners) => (
        <path key={corners[0]?.x} d={linePath(corners)} fill="none" stroke="var(--ink)" strokeWidth="1" />
      ))}
    </svg>
  )
}

const Figure = ({ value, because }: { value: string | null; because: string }) =>
  value === null ? <Unknown reason={because} /> : value

const NEVER = 'no data in this range'

const GroupRow = ({
  series,
  data,
  begin,
  by,
  isChosen,
  onChoose,
}: {
  series: CapacitySeries
  data: Capacity
  /** The first point of which anything is known in the whole table. */
  begin: number
  by: CapacityGroup | 'pgpu'
  isChosen: boolean
  onChoose: () => void
}) => {
  const { capacity, used, peak, peakIndex, growth, stranded } = figuresOf(series)
  const clock = useChartClock(data.stepSeconds)
  const span = peakIndex === null ? null : pointSpan(data, peakIndex)
  const share = used === null || capacity === null ? null : formatPercent(used, capacity)
  return (
    <Tr {...(isChosen ? { className: '[&>td]:bg-sel' } : {})}>
      <Td className="min-w-20">
        <button
          type="button"
          aria-pressed={isChosen}
          onClick={onChoose}
          className="text-left font-[550] text-accent-ink break-words hover:underline"
        >
          {series.label === '' ? GROUP_LABELS[by].unknown : series.label}
        </button>
      </Td>
      <Td className="max-sm:hidden">
        <Spark series={series} begin={begin} />
      </Td>
      <Td isNumber>
        <Figure value={vgpus(used)} because={NEVER} />
      </Td>
      {isHeldGroup(by) ? null : (
        <>
          <Td isNumber>
            <Figure value={vgpus(capacity)} because={NEVER} />
          </Td>
          <Td isNumber className="whitespace-nowrap max-sm:hidden">
            {share}
          </Td>
        </>
      )}
      <Td isNumber>
        <Figure value={vgpus(peak)} because={NEVER} />
      </Td>
      <Td className="whitespace-nowrap text-ink2 text-small max-lg:hidden">
        {span === null ? null : clock.moment(span.at, span.endsAt, span.beginsAt)}
      </Td>
      <Td isNumber>
        <Figure value={growth === null ? null : formatGrowth(growth)} because="not enough history" />
      </Td>
      {isHeldGroup(by) ? null : (
        <Td isNumber className="max-sm:hidden">
          <Figure value={vgpus(stranded)} because="not reported by Nova and Placement" />
        </Td>
      )}
    </Tr>
  )
}

/** One row for each group, the most used first; pressing one shows it above. */
const GroupTable = ({
  data,
  by,
  chosen,
  csvPath,
  onChoose,
}: {
  data: Capacity
  by: CapacityGroup | 'pgpu'
  chosen: string | null
  csvPath: string
  onChoose: (key: string | null) => void
}) => {
  const { first, more } = useMoreRows(data.series, 50)
  const { head } = GROUP_LABELS[by]
  const { words } = useChartClock(data.stepSeconds)
  const firsts = data.series.map(({ used }) => used.findIndex((value) => value !== null))
  const begin = Math.min(...firsts.filter((index) => index >= 0))
  return (
    <>
      <TablePanel>
        <Table aria-label={`By ${GROUP_LABELS[by].choice}`}>
          <thead>
            <tr>
              <Th>{head}</Th>
              <Th className="max-sm:hidden">Over time</Th>
              <Th isNumber>In use</Th>
              {isHeldGroup(by) ? null : (
                <>
                  <Th isNumber>Total capacity</Th>
                  <Th isNumber className="max-sm:hidden">
                    Share
                  </Th>
                </>
              )}
              <Th isNumber>Peak</Th>
              <Th className="max-lg:hidden">Time of peak ({words})</Th>
              <Th isNumber>Change</Th>
              {isHeldGroup(by) ? null : (
                <Th isNumber className="max-sm:hidden">
                  Stranded
                </Th>
              )}
            </tr>
          </thead>
          <tbody>
            {first.map((series) => (
              <GroupRow
                key={series.key}
                series={series}
                data={data}
                begin={begin}
                by={by}
                isChosen={series.key === chosen}
                onChoose={() => onChoose(series.key === chosen ? null : series.key)}
              />
            ))}
          </tbody>
        </Table>
      </TablePanel>
      {more}
      <p className="mt-2 flex flex-wrap items-center gap-x-2 text-ink3 text-small">
        {data.leftOut === 0
          ? null
          : `${formatNoun(data.leftOut, 'group with fewer vGPUs is', 'groups with fewer vGPUs are')} not shown.`}
        <a href={csvPath} download className="text-accent-ink underline">
          CSV of all {formatNoun(data.series.length + data.leftOut, 'group')}
        </a>
      </p>
    </>
  )
}

/** The groups of the page, or the pGPUs of the selected host. `onChosen`: another one was selected. */
const GroupsPanel = ({ view, onChosen }: { view: CapacityView; onChosen: () => void }) => {
  const { cloud, chosen, host, address, range } = view
  const by = host === null ? view.by : 'pgpu'
  const [, setParams] = useQueryStates(capacitySearchParams)
  const question: CapacityQuestion = { cloud, by, key: null, host, ...range }
  const query = useQuery(capacityOptions(question))
  const { data } = query
  const words = GROUP_LABELS[by]
  if (data === undefined)
    return query.error === null ? (
      <div className="mb-3.5">
        <SkeletonRows rows={6} label="Loading the groups" />
      </div>
    ) : (
      <LoadProblem query={query} what={`The capacity by ${words.choice}`} />
    )
  if (data.series.length === 0) return null
  return (
    <section aria-label={`By ${words.choice}`} className="mb-3.5">
      <GroupTable
        data={data}
        by={by}
        chosen={host === null ? chosen : address}
        csvPath={apiPaths.capacityExport({ ...question, compareFrom: view.compared?.from ?? null })}
        onChoose={(key) => {
          void setParams(host === null ? { key } : { address: key })
          onChosen()
        }}
      />
    </section>
  )
}

/** On paper the tools are gone, so their words say what is shown, and of which time. */
const PrintedView = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const { words } = useChartClock(data?.stepSeconds ?? 0)
  if (data === undefined) return null
  const { compared, host, by } = view
  const parts = [
    `${dayOf(data.from)} to ${lastDayOf(data.until)}`,
    chosenName(view, data.series[0]),
    `by ${GROUP_LABELS[host === null ? by : 'pgpu'].choice}`,
    compared === null ? null : `compared with ${dayOf(compared.from)} to ${lastDayOf(compared.until)}`,
    `charts in ${words}`,
  ].filter((part) => part !== null)
  return <p className="mb-2 hidden text-ink2 print:block">{parts.join('; ')}.</p>
}

/** vGPUs used and capacity over time: of the fleet, and group by group. */
export const CapacityPage = () => {
  const view = useCapacityView()
  const { target, reveal } = useReveal('start')
  const { data } = useQuery(capacityOptions({ ...chosenQuestion(view), ...view.range }))
  return (
    <>
      <PageHeader
        title="Capacity"
        sub={
          data === undefined || data.watermark === null ? undefined : (
            <>
              History until <Moment at={data.watermark} />
            </>
          )
        }
        actions={
          <Link href={reviewsPath({ cloud: view.cloud })} className={buttonStyle({})}>
            Reviews
          </Link>
        }
      />
      <ChartClock zone={view.clock}>
        <CapacityTools view={view} data={data} />
        <PrintedView view={view} data={data} />
        <div ref={target} className="scroll-mt-16">
          <ChosenPanel view={view} />
        </div>
        <GroupsPanel view={view} onChosen={reveal} />
        {view.host === null ? <LazyDemandPanel view={view} /> : null}
        <ForecastPanel view={view} />
        {view.host === null ? (
          <UtilizationPanel cloud={view.cloud} by={view.by} chosen={view.chosen} range={view.range} />
        ) : null}
        <IdlePanel view={view} />
        {view.host === null ? <WeekPanel view={view} name={chosenName(view, data?.series[0])} /> : null}
      </ChartClock>
    </>
  )
}
