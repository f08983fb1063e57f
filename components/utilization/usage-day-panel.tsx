'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sinceDays } from '@/components/charts/since-days'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { ReaderClock } from '@/components/shell/reader-clock'
import { SilentTag } from '@/components/shell/silent-tag'
import { utilizationOptions } from '@/lib/api/utilization'
import { formatMib, formatShare } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { UsageChartPanel } from './usage-chart-panel'
import { knownUntil, lastKnown, toUsagePoints, type UsagePoint } from './usage-point'

const Now = ({
  point,
  stepSeconds,
  silentSince,
}: {
  point: UsagePoint
  stepSeconds: number
  silentSince: string | null | undefined
}) => {
  const { utilization, usedMib, totalMib } = point
  const memory = usedMib === null ? null : formatMib(Math.round(usedMib))
  return (
    <p className="mb-1 flex flex-wrap gap-x-3 gap-y-0.5">
      <span className="font-[550]">
        {utilization === null ? 'utilization unknown' : `${formatShare(utilization / 100)} busy`}
      </span>
      {memory === null ? null : (
        <span>
          {memory} {totalMib === null ? '' : `of ${formatMib(totalMib)} `}framebuffer in use
        </span>
      )}
      <span className="text-ink2">
        <Moment at={new Date(knownUntil(point, stepSeconds)).toISOString()} />
      </span>
      {silentSince === undefined ? null : <SilentTag seenAt={silentSince} />}
    </p>
  )
}

/** The last day of a host's pGPUs together, or of one pGPU; hidden if it was never measured. */
export const UsageDayPanel = ({
  cloud,
  host,
  address = null,
  silentSince,
}: {
  cloud: string | null
  host: string
  address?: string | null
  /** Time of the last report of a silent host; undefined: it is not silent. */
  silentSince: string | null | undefined
}) => {
  const from = useMemo(() => sinceDays(1), [])
  const by = address === null ? ('host' as const) : ('pgpu' as const)
  const question = { cloud, by, key: null, host, address, from, until: null }
  const query = useQuery(utilizationOptions(question))
  const { data } = query
  const [series] = data?.series ?? []
  const knownAt =
    silentSince == null ? query.dataUpdatedAt : Math.min(query.dataUpdatedAt, Date.parse(silentSince))
  const points = useMemo(
    () => (series === undefined || data === undefined ? [] : toUsagePoints(series, data, knownAt)),
    [series, data, knownAt],
  )
  const last = lastKnown(points)
  if (data === undefined) return <LoadProblem query={query} what="The utilization" />
  if (last === null) return null
  return (
    <ReaderClock>
      <UsageChartPanel
        points={points}
        stepSeconds={data.stepSeconds}
        title="Utilization of the last day"
        subject={`${host}${address === null ? '' : ` ${address}`}, ${data.cloud}`}
        csvPath={apiPaths.utilizationExport(question)}
        fileName={`sliceboard-${data.cloud}-utilization-${host}`}
        isGroup={false}
        height={130}
      >
        <Now point={last} stepSeconds={data.stepSeconds} silentSince={silentSince} />
      </UsageChartPanel>
    </ReaderClock>
  )
}
