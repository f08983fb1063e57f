'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { forecastOptions } from '@/lib/api/forecast'
import type { ForecastBy } from '@/lib/schemas/api/forecast'
import { formatNoun } from '@/lib/util/format'
import { ForecastDays } from './forecast-days'
import { ForecastTable } from './forecast-table'

const HEADS: Readonly<Record<Exclude<ForecastBy, 'all'>, string>> = {
  type: 'Type',
  model: 'Model',
  aggregate: 'Aggregate',
}

/** Flavors and projects have no capacity that could be exhausted: their place take the types. */
const groupedBy = (by: string): keyof typeof HEADS => (by === 'model' || by === 'aggregate' ? by : 'type')

/** When each group will be full if it goes on as it does now, and its forecast day by day. */
export const ForecastPanel = ({ by }: { by: string }) => {
  const { cloud } = useCloud()
  const grouped = groupedBy(by)
  const [chosen, setChosen] = useQueryState('forecast', parseAsString)
  const query = useQuery(forecastOptions({ cloud, by: grouped, key: null }))
  const { data } = query
  if (data === undefined)
    return (
      <>
        <LoadProblem query={query} what="The forecast" />
        {query.error === null ? <SkeletonRows rows={4} label="Loading the forecast" /> : null}
      </>
    )
  if (data.until === null || data.groups.length === 0) return null
  const group = data.groups.find(({ key }) => key === chosen)
  return (
    <Panel className="mt-3.5" title="When will it be full?" note="at this growth, by daily peaks">
      <LoadProblem query={query} what="The forecast" />
      <ForecastTable
        groups={data.groups}
        head={HEADS[grouped]}
        today={data.until}
        chosen={chosen}
        onChoose={(key) => void setChosen(key)}
      >
        {data.leftOut === 0 ? null : (
          <p className="mt-2 text-ink3 text-small">
            {formatNoun(data.leftOut, 'group')} with fewer vGPUs left out.
          </p>
        )}
      </ForecastTable>
      {group === undefined ? null : (
        <ForecastDays key={group.key} cloud={cloud} by={grouped} group={group} today={data.until} />
      )}
    </Panel>
  )
}
