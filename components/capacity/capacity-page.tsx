'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { ChartClock } from '@/components/charts/chart-clock'
import { LazyDemandPanel } from '@/components/demand/lazy-demand-panel'
import { ForecastPanel } from '@/components/forecast/forecast-panel'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { buttonStyle } from '@/components/ui/button'
import { useReveal } from '@/components/ui/use-reveal'
import { IdlePanel } from '@/components/utilisation/idle-panel'
import { UtilisationPanel } from '@/components/utilisation/utilisation-panel'
import { capacityOptions } from '@/lib/api/capacity'
import { reviewsPath } from '@/lib/util/paths'
import { CapacityTools } from './capacity-tools'
import { chosenName } from './capacity-words'
import { ChosenPanel } from './chosen-panel'
import { GroupsPanel } from './groups-panel'
import { PrintedView } from './printed-view'
import { chosenQuestion, useCapacityView } from './use-capacity-view'
import { WeekPanel } from './week-panel'

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
          <UtilisationPanel cloud={view.cloud} by={view.by} chosen={view.chosen} range={view.range} />
        ) : null}
        <IdlePanel view={view} />
        {view.host === null ? <WeekPanel view={view} name={chosenName(view, data?.series[0])} /> : null}
      </ChartClock>
    </>
  )
}
