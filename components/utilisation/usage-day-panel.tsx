'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sinceDays } from '@/components/charts/since-days'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { useServerNow } from '@/components/shell/use-server-now'
import { utilisationOptions } from '@/lib/api/utilisation'
import { formatMib } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { UsageChartPanel } from './usage-chart-panel'
import { knownUntil, lastKnown, percentWords, toUsagePoints, type UsagePoint } from './usage-point'

const Now = ({ point, stepSeconds }: { point: UsagePoint; stepSeconds: number }) => {
  const { utilisation, usedMib, totalMib } = point
  const now = useServerNow()
  const memory = usedMib === null ? null : formatMib(Math.round(usedMib))
  return (
    <p className="mb-1 flex flex-wrap gap-x-3 gap-y-0.5">
      <span className="font-[550]">
        {utilisation === null ? 'utilisation unknown' : `${percentWords(utilisation)} busy`}
      </span>
      {memory === null ? null : (
        <span>
          {memory} {totalMib === null ? '' : `of ${formatMib(totalMib)} `}framebuffer in use
        </span>
      )}
      <span className="text-ink2">
        <Moment at={new Date(knownUntil(point, { stepSeconds, now })).toISOString()} />
      </span>
    </p>
  )
}

/** The last day of a host's pGPUs together, or of one pGPU; nothing where nothing was ever measured. */
export const UsageDayPanel = ({
  cloud,
  host,
  address = null,
}: {
  cloud: string | null
  host: string
  address?: string | null
}) => {
  const from = useMemo(() => sinceDays(1), [])
  const by = address === null ? ('host' as const) : ('pgpu' as const)
  const question = { cloud, by, key: null, host, address, from, until: null }
  const query = useQuery(utilisationOptions(question))
  const { data } = query
  const [series] = data?.series ?? []
  const points = useMemo(
    () => (series === undefined || data === undefined ? [] : toUsagePoints(series, data)),
    [series, data],
  )
  const last = lastKnown(points)
  if (data === undefined) return <LoadProblem query={query} what="The utilisation" />
  if (last === null) return null
  return (
    <UsageChartPanel
      points={points}
      stepSeconds={data.stepSeconds}
      title="Utilisation of the last day"
      subject={`${host}${address === null ? '' : ` ${address}`}, ${data.cloud}`}
      csvPath={apiPaths.utilisationExport(question)}
      fileName={`sliceboard-${data.cloud}-utilisation-${host}`}
      isGroup={false}
      height={130}
    >
      <Now point={last} stepSeconds={data.stepSeconds} />
    </UsageChartPanel>
  )
}
