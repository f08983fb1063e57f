'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryState } from 'nuqs'
import { lastDayOf } from '@/components/capacity/capacity-words'
import { LoadProblem } from '@/components/shell/load-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { forecastOptions } from '@/lib/api/forecast'
import type { ForecastBy } from '@/lib/schemas/api/forecast'
import { formatNoun } from '@/lib/util/format'
import { whatIfPath } from '@/lib/util/paths'
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
        {query.error === null ? (
          <div className="mb-3.5">
            <SkeletonRows rows={4} label="Loading the forecast" />
          </div>
        ) : null}
      </>
    )
  const group = data.groups.find(({ key }) => key === chosen)
  return (
    <Panel
      className="mb-3.5"
      title="When will it be full?"
      note={
        data.until === null
          ? 'at this growth, by daily peaks'
          : `at this growth, by daily peaks and capacity until ${lastDayOf(data.until)}`
      }
      actions={
        <Link className={buttonStyle({ size: 'small' })} href={whatIfPath({ cloud })}>
          What if
        </Link>
      }
    >
      <LoadProblem query={query} what="The forecast" />
      {data.until === null || data.groups.length === 0 ? (
        <p className="text-ink2">Nothing can be told yet: a forecast takes six weeks of history.</p>
      ) : (
        <>
          <ForecastTable
            groups={data.groups}
            head={HEADS[grouped]}
            today={data.until}
            chosen={chosen}
            onChoose={(key) => void setChosen(key)}
          />
          {data.leftOut === 0 ? null : (
            <p className="mt-2 text-ink3 text-small">
              {formatNoun(data.leftOut, 'group')} with fewer vGPUs left out.
            </p>
          )}
          {group === undefined ? null : (
            <ForecastDays key={group.key} cloud={cloud} by={grouped} group={group} today={data.until} />
          )}
        </>
      )}
    </Panel>
  )
}
