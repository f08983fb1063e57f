'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dayOf } from '@/components/capacity/capacity-labels'
import { useChartClock } from '@/components/charts/chart-clock'
import { LoadProblem } from '@/components/shell/load-problem'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { utilizationOptions } from '@/lib/api/utilization'
import type { UtilizationBy } from '@/lib/schemas/api/utilization'
import { formatShare } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { UsageChartPanel } from './usage-chart-panel'
import { sumUsage, toUsagePoints } from './usage-point'

const summary = (
  formatMoment: (at: number) => string,
  { average, peak, peakAt }: ReturnType<typeof sumUsage>,
): string => {
  if (average === null || peak === null || peakAt === null)
    return 'Only the framebuffer is known for this range.'
  return `${formatShare(average / 100)} on average, at most ${formatShare(peak / 100)} (${formatMoment(peakAt)}).`
}

/** How busy the pGPUs of the fleet or of one group were, in the range of the page; of flavors and projects their vGPUs. */
export const UtilizationPanel = ({
  cloud,
  by,
  chosen,
  range,
}: {
  cloud: string | null
  by: UtilizationBy
  /** Key of one group; null: the whole fleet. */
  chosen: string | null
  range: { from: string; until: string | null }
}) => {
  const group = chosen === null ? ('all' as const) : by
  const question = { cloud, by: group, key: chosen, host: null, address: null, ...range }
  const query = useQuery(utilizationOptions(question))
  const { data } = query
  const clock = useChartClock(data?.stepSeconds ?? 0)
  const [series] = data?.series ?? []
  const points = useMemo(
    () => (series === undefined || data === undefined ? [] : toUsagePoints(series, data)),
    [series, data],
  )
  if (data === undefined)
    return (
      <>
        <LoadProblem query={query} what="The utilization" />
        {query.error === null ? <Skeleton className="mb-3.5 h-[240px]" /> : null}
      </>
    )
  const isKnown = points.some(({ utilization, usedMib }) => utilization !== null || usedMib !== null)
  if (series === undefined || !isKnown)
    return (
      <Panel className="mb-3.5" title="Utilization">
        <LoadProblem query={query} what="The utilization" />
        <p className="text-ink2">
          No measurements in this range. Agents on hosts with nvidia-smi measure utilization once a minute.
          Completed hours are shown here.
        </p>
      </Panel>
    )
  const subject = `${chosen === null ? 'all pGPUs' : series.label || 'the group'}, ${data.cloud}`
  return (
    <>
      <LoadProblem query={query} what="The utilization" />
      <UsageChartPanel
        className="mb-3.5"
        points={points}
        stepSeconds={data.stepSeconds}
        title="Utilization"
        subject={subject}
        csvPath={apiPaths.utilizationExport(question)}
        fileName={`sliceboard-${data.cloud}-utilization-${dayOf(data.from)}-${dayOf(data.until)}`}
        isGroup
        height={180}
      >
        <p className="mb-1 text-ink2">{summary(clock.moment, sumUsage(points))}</p>
      </UsageChartPanel>
    </>
  )
}
