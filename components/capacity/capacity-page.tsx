'use client'

import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { pointMoment } from '@/components/charts/chart-moments'
import { ForecastPanel } from '@/components/forecast/forecast-panel'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { Stat, StatStrip } from '@/components/ui/stat'
import { EmptyState } from '@/components/ui/states'
import { Toolbar } from '@/components/ui/toolbar'
import { capacityOptions } from '@/lib/api/capacity'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { formatPercent } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import {
  CAPACITY_GROUPS,
  type CapacityGroup,
  capacitySearchParams,
  RANGE_DAYS,
} from './capacity-search-params'
import { GROUP_WORDS, growthWords, isHeldGroup, vgpus } from './capacity-words'
import { ChartPanel } from './chart-panel'
import { figuresOf } from './figures'
import { GroupTable } from './group-table'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const RANGE_WORDS: Readonly<Record<number, string>> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
}

/** From the begin of an hour, so that the question stays the same while the page is looked at. */
const sinceDays = (days: number): string =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString()

const dayOf = (at: string): string => at.slice(0, 10)

const useRange = () => {
  const [params, setParams] = useQueryStates(capacitySearchParams)
  const days = RANGE_DAYS.find((known) => known === params.days) ?? 30
  const since = useMemo(() => sinceDays(days), [days])
  const isFixed = params.from !== null && params.until !== null
  return {
    params,
    setParams,
    days,
    isFixed,
    range: isFixed ? { from: params.from ?? since, until: params.until } : { from: since, until: null },
  }
}

const Tools = ({ data }: { data: Capacity | undefined }) => {
  const { params, setParams, days, isFixed, range } = useRange()
  return (
    <Toolbar>
      <ChoiceChip
        label="Range"
        isMultiple={false}
        choices={RANGE_DAYS.map((each) => ({ value: String(each), label: RANGE_WORDS[each] ?? '' }))}
        chosen={isFixed ? [] : [String(days)]}
        onChoose={([value = '30']) => void setParams({ days: Number(value), from: null, until: null })}
      />
      <ChoiceChip
        label="By"
        isMultiple={false}
        choices={CAPACITY_GROUPS.map((value) => ({ value, label: GROUP_WORDS[value].choice }))}
        chosen={[params.by]}
        onChoose={([value]) =>
          void setParams({ by: CAPACITY_GROUPS.find((each) => each === value) ?? 'type', key: null })
        }
      />
      {isFixed ? (
        <Button variant="chipOn" onClick={() => void setParams({ from: null, until: null })}>
          {dayOf(range.from)} to {dayOf(range.until ?? range.from)} <X size={13} aria-hidden />
          <span className="sr-only">: let it go on</span>
        </Button>
      ) : (
        <Button
          variant="ghost"
          isUnavailable={data === undefined}
          onClick={() =>
            data === undefined ? undefined : void setParams({ from: data.from, until: data.until })
          }
        >
          Hold these dates
        </Button>
      )}
    </Toolbar>
  )
}

const Figures = ({ data, isHeld }: { data: Capacity; isHeld: boolean }) => {
  const [series] = data.series
  if (series === undefined) return null
  const { capacity, used, stranded, unseen, peak, peakPlace, growth } = figuresOf(series)
  const peakAt = Date.parse(data.from) + (peakPlace ?? 0) * data.stepSeconds * 1000
  const peakShare = peak === null || capacity === null ? null : formatPercent(peak, capacity)
  return (
    <StatStrip label="In this time">
      <Stat
        label="Used at the end"
        value={vgpus(used)}
        note={
          growth === null || growthWords(growth) === '0' ? undefined : `${growthWords(growth)} in this time`
        }
      />
      {isHeld ? null : <Stat label="Capacity" value={vgpus(capacity)} note="vGPUs" />}
      <Stat label="Peak use" value={vgpus(peak)} note={isHeld ? undefined : (peakShare ?? undefined)}>
        {peakPlace === null ? null : (
          <p className="text-ink2 text-small">{pointMoment(peakAt, data.stepSeconds)}</p>
        )}
      </Stat>
      {isHeld ? null : (
        <>
          <Stat
            label="Stranded"
            value={vgpus(stranded)}
            note={stranded === null ? 'the cloud has not said' : 'free, out of reach'}
            tone={(stranded ?? 0) > 0 ? 'warn' : 'plain'}
          />
          <Stat
            label="Not watched"
            value={vgpus(unseen)}
            note="last known capacity"
            tone={unseen > 0 ? 'warn' : 'plain'}
          />
        </>
      )}
    </StatStrip>
  )
}

const Main = ({ by, chosen }: { by: CapacityGroup; chosen: string | null }) => {
  const { cloud } = useCloud()
  const { range } = useRange()
  const question = { cloud, by: chosen === null ? ('all' as const) : by, key: chosen, ...range }
  const query = useQuery(capacityOptions(question))
  const { data } = query
  const [series] = data?.series ?? []
  const isHeld = chosen !== null && isHeldGroup(by)
  const isNothing =
    series === undefined || [...series.used, ...series.capacity].every((value) => value === null)
  const name = chosen === null ? 'All vGPUs' : series?.label || GROUP_WORDS[by].unknown
  if (data === undefined)
    return (
      <>
        <LoadProblem query={query} what="The capacity" />
        {query.error === null ? <Skeleton className="mb-3.5 h-[420px]" /> : null}
      </>
    )
  return (
    <>
      <LoadProblem query={query} what="The capacity" />
      {series === undefined || isNothing ? (
        <EmptyState title={data.firstKnownAt === null ? 'No history yet' : 'Nothing is known of this time'}>
          {data.firstKnownAt === null
            ? 'It begins with the first report of a host, and is drawn up every minute from then on.'
            : `The history begins on ${dayOf(data.firstKnownAt)}. Choose another range, or take the group away.`}
        </EmptyState>
      ) : (
        <>
          <Figures data={data} isHeld={isHeld} />
          <ChartPanel
            data={data}
            series={series}
            title={name}
            csvPath={apiPaths.capacityExport(question)}
            fileName={`sliceboard-${data.cloud}-capacity-${dayOf(data.from)}-${dayOf(data.until)}`}
            isHeld={isHeld}
          />
        </>
      )}
    </>
  )
}

const Groups = ({ by, chosen }: { by: CapacityGroup; chosen: string | null }) => {
  const { cloud } = useCloud()
  const { range, setParams } = useRange()
  const query = useQuery(capacityOptions({ cloud, by, key: null, ...range }))
  const { data } = query
  if (data === undefined)
    return query.error === null ? <SkeletonRows rows={6} label="Loading the groups" /> : null
  if (data.series.length === 0) return null
  return (
    <section aria-label={`By ${GROUP_WORDS[by].choice}`}>
      <GroupTable data={data} by={by} chosen={chosen} onChoose={(key) => void setParams({ key })} />
    </section>
  )
}

/** vGPUs used and capacity over time: of the fleet, and group by group. */
export const CapacityPage = () => {
  const { cloud } = useCloud()
  const { params, range } = useRange()
  const { data } = useQuery(capacityOptions({ cloud, by: 'all', key: null, ...range }))
  return (
    <>
      <PageHeader
        title="Capacity"
        sub={
          data === undefined || data.watermark === null ? undefined : (
            <>
              known until <Moment at={data.watermark} />
            </>
          )
        }
      />
      <Tools data={data} />
      <Main by={params.by} chosen={params.key} />
      <Groups by={params.by} chosen={params.key} />
      <ForecastPanel by={params.by} />
    </>
  )
}
