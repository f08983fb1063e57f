'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useChartClock } from '@/components/charts/chart-clock'
import { pointSpan } from '@/components/charts/chart-point'
import { areaPath, linePath, runsOf } from '@/components/charts/small-paths'
import { LoadProblem } from '@/components/shell/load-problem'
import { orUnknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { type CapacityQuestion, capacityOptions } from '@/lib/api/capacity'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { formatNoun, formatPercent } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { formatGrowth, GROUP_LABELS, isHeldGroup, vgpus } from './capacity-labels'
import { type CapacityGroup, capacitySearchParams } from './capacity-search-params'
import { figuresOf } from './figures'
import type { CapacityView } from './use-capacity-view'

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
      <Td isNumber>{orUnknown(vgpus(used), NEVER)}</Td>
      {isHeldGroup(by) ? null : (
        <>
          <Td isNumber>{orUnknown(vgpus(capacity), NEVER)}</Td>
          <Td isNumber className="whitespace-nowrap max-sm:hidden">
            {share}
          </Td>
        </>
      )}
      <Td isNumber>{orUnknown(vgpus(peak), NEVER)}</Td>
      <Td className="whitespace-nowrap text-ink2 text-small max-lg:hidden">
        {span === null ? null : clock.moment(span.at, span.endsAt, span.beginsAt)}
      </Td>
      <Td isNumber>{orUnknown(growth === null ? null : formatGrowth(growth), 'not enough history')}</Td>
      {isHeldGroup(by) ? null : (
        <Td isNumber className="max-sm:hidden">
          {orUnknown(vgpus(stranded), 'not reported by Nova and Placement')}
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
export const GroupsPanel = ({ view, onChosen }: { view: CapacityView; onChosen: () => void }) => {
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
