'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { ChartClock, useChartClock } from '@/components/charts/chart-clock'
import { PageHeader } from '@/components/shell/page-header'
import { PageTabs } from '@/components/shell/page-tabs'
import { buttonStyle } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useReveal } from '@/components/ui/use-reveal'
import { capacityOptions } from '@/lib/api/capacity'
import { overviewOptions } from '@/lib/api/overview'
import type { Capacity } from '@/lib/schemas/api/capacity'
import type { Overview } from '@/lib/schemas/api/fleet'
import { formatCount, formatNoun } from '@/lib/util/format'
import { reviewsPath } from '@/lib/util/paths'
import { chosenName, dayOf, GROUP_LABELS, lastDayOf } from './capacity-labels'
import { CapacityTools } from './capacity-tools'
import { ChosenPanel } from './chosen-panel'
import { GroupsPanel } from './groups-panel'
import { type CapacityView, chosenQuestion, useCapacityView } from './use-capacity-view'

/** What the first screen does not show loads after it. */
const loading = () => <Skeleton className="mb-3.5 h-[240px]" />
const DemandPanel = dynamic(
  () => import('@/components/demand/demand-panel').then((module) => module.DemandPanel),
  { ssr: false, loading },
)
const ForecastPanel = dynamic(
  () => import('@/components/forecast/forecast-panel').then((module) => module.ForecastPanel),
  { ssr: false, loading },
)
const IdlePanel = dynamic(
  () => import('@/components/utilization/idle-panel').then((module) => module.IdlePanel),
  { ssr: false, loading },
)
const UtilizationPanel = dynamic(
  () => import('@/components/utilization/utilization-panel').then((module) => module.UtilizationPanel),
  { ssr: false, loading },
)
const WeekPanel = dynamic(() => import('./week-panel').then((module) => module.WeekPanel), {
  ssr: false,
  loading,
})

/** On paper the tools are hidden, so a sentence names the selection and its time. */
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

/** Use and capacity over time: of the selection, group by group, and by hours of the week. */
const UsageTab = ({ view }: { view: CapacityView }) => {
  const { target, reveal } = useReveal('start')
  const { data } = useQuery(capacityOptions({ ...chosenQuestion(view), ...view.range }))
  return (
    <>
      <CapacityTools view={view} tab="usage" data={data} />
      <PrintedView view={view} data={data} />
      <div ref={target} className="scroll-mt-16">
        <ChosenPanel view={view} />
      </div>
      <GroupsPanel view={view} onChosen={reveal} />
      {view.host === null ? (
        <>
          <UtilizationPanel cloud={view.cloud} by={view.by} chosen={view.chosen} range={view.range} />
          <WeekPanel view={view} name={chosenName(view, data?.series[0])} />
        </>
      ) : null}
    </>
  )
}

const RefusedTab = ({ view }: { view: CapacityView }) => (
  <>
    <CapacityTools view={view} tab="refused" />
    {view.host === null ? (
      <DemandPanel view={view} />
    ) : (
      <p className="text-ink2">
        Refused servers have no host. Remove the host from the selection to see them.
      </p>
    )}
  </>
)

/** `704 vGPUs in total, 431 in use, 38 last known values from 2 hosts`: the numbers of the overview. */
const totalsText = ({ capacity, used, lastKnown }: Overview['totals']): string =>
  [
    capacity === null ? 'total unknown' : `${formatNoun(capacity, 'vGPU')} in total`,
    used === null ? 'use unknown' : `${formatCount(used)} in use`,
    lastKnown === null || lastKnown.capacity === null
      ? null
      : `${formatCount(lastKnown.capacity)} last known values from ${formatNoun(lastKnown.hosts, 'host')}`,
  ]
    .filter((part) => part !== null)
    .join(', ')

/** How full the fleet is, when it will be full, who was refused, and what is idle. */
export const CapacityPage = () => {
  const view = useCapacityView()
  const overview = useQuery(overviewOptions({ cloud: view.cloud }))
  return (
    <>
      <PageHeader
        title="Capacity"
        sub={overview.data === undefined ? undefined : totalsText(overview.data.totals)}
        actions={
          <Link href={reviewsPath({ cloud: view.cloud })} className={buttonStyle({})}>
            Reviews
          </Link>
        }
      />
      <ChartClock zone={view.clock}>
        <PageTabs
          label="Capacity"
          tabs={[
            { value: 'usage', label: 'Usage', content: <UsageTab view={view} /> },
            {
              value: 'forecast',
              label: 'Forecast',
              content: (
                <>
                  <CapacityTools view={view} tab="forecast" />
                  <ForecastPanel view={view} />
                </>
              ),
            },
            { value: 'refused', label: 'Refused', content: <RefusedTab view={view} /> },
            {
              value: 'idle',
              label: 'Idle',
              content: (
                <>
                  <CapacityTools view={view} tab="idle" />
                  <IdlePanel view={view} />
                </>
              ),
            },
          ]}
        />
      </ChartClock>
    </>
  )
}
