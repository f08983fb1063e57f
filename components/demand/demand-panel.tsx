'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useMemo } from 'react'
import { dayOf } from '@/components/capacity/capacity-labels'
import type { CapacityView } from '@/components/capacity/use-capacity-view'
import { useChartClock } from '@/components/charts/chart-clock'
import { ChartPointTable, type PointColumn } from '@/components/charts/chart-point-table'
import { ChartOrTable, ChartTools, useChartView } from '@/components/charts/chart-tools'
import { Legend } from '@/components/charts/legend'
import { LoadProblem } from '@/components/shell/load-problem'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { refusedDemandOptions } from '@/lib/api/refused-demand'
import { refusedFileName } from '@/lib/domain/demand/refused-file-name'
import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import { formatCount, formatNoun } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { RefusedGroups } from './refused-groups'
import { REFUSED_LAYERS } from './refused-layers'
import { type RefusedPoint, toRefusedPoints } from './refused-point'

const COLUMNS: readonly PointColumn<RefusedPoint>[] = [
  { name: 'all', head: 'Refused', words: ({ all }) => formatCount(all) },
  ...REFUSED_LAYERS.map(({ name, word }) => ({
    name,
    head: word,
    words: (point: RefusedPoint) => formatCount(point[name]),
  })),
]

/** The chart's points as a table, the newest first. */
const RefusedPointTable = (props: { points: readonly RefusedPoint[]; stepSeconds: number }) => (
  <ChartPointTable {...props} label="Refused servers over time" columns={COLUMNS} unknown="no data" />
)

/** The chart library weighs more than all other script of a page, so only a page that draws fetches it. */
const LazyRefusedChart = dynamic(() => import('./refused-chart').then(({ RefusedChart }) => RefusedChart), {
  ssr: false,
  loading: () => <Skeleton className="h-[160px]" />,
})

const TITLE = 'Refused servers'

const STEP_LABELS: Readonly<Record<number, string>> = {
  3600: 'hour',
  21600: '6 hours',
  86400: 'day',
  604800: 'week',
  2419200: '4 weeks',
}

/** What the panel's numbers are of. */
const subjectOf = ({ by, chosen }: CapacityView, data: RefusedDemand | undefined): string => {
  const [group] = data?.groups ?? []
  if (chosen === null || (by !== 'flavor' && by !== 'project')) return 'the whole cloud'
  return (by === 'flavor' ? chosen : (group?.projectName ?? chosen)) || `an unknown ${by}`
}

/** Time without data is unknown, which differs from no refusals. */
const noneText = ({ firstKnownAt, until }: RefusedDemand): string => {
  if (firstKnownAt === null) return 'No data on refused servers yet.'
  return firstKnownAt >= until
    ? `No data in this range. The history begins on ${dayOf(firstKnownAt)}.`
    : 'No recorded refusals in this range.'
}

const Drawn = ({
  data,
  subject,
  fileName,
  isWhole,
  csvPath,
}: {
  data: RefusedDemand
  subject: string
  fileName: string
  /** The panel shows the whole cloud although the page shows a group. */
  isWhole: boolean
  csvPath: string
}) => {
  const view = useChartView()
  const { words, zone } = useChartClock(data.stepSeconds)
  const points = useMemo(() => toRefusedPoints(data), [data])
  const label = `${TITLE} of ${subject}`
  return (
    <Panel
      className="mb-3.5"
      title={TITLE}
      note={`that requested a GPU, by ${STEP_LABELS[data.stepSeconds] ?? 'time'}, times in ${words}`}
      actions={
        data.servers === 0 ? null : (
          <ChartTools
            view={view}
            title={`${label}, ${data.cloud}, ${dayOf(data.since)} to ${dayOf(data.until)}, ${words}`}
            keys={REFUSED_LAYERS}
            name={fileName}
          >
            <a href={csvPath} download className={buttonStyle({ size: 'small' })}>
              CSV
            </a>
          </ChartTools>
        )
      }
    >
      <p className="mb-1 text-ink2">
        {data.servers === 0
          ? noneText(data)
          : `${formatNoun(data.servers, 'server')} of ${subject} got no GPU, as far as recorded.`}
        {isWhole && data.servers > 0
          ? ' A refused server has no vGPU yet, so the list is not limited to the selected group.'
          : null}
      </p>
      {data.servers === 0 ? null : (
        <>
          <ChartOrTable
            view={view}
            label={label}
            table={<RefusedPointTable points={points} stepSeconds={data.stepSeconds} />}
          >
            <LazyRefusedChart points={points} stepSeconds={data.stepSeconds} label={label} height={160} />
          </ChartOrTable>
          <Legend keys={REFUSED_LAYERS} />
          <div className="mt-2">
            <RefusedGroups groups={data.groups} zone={zone} />
          </div>
        </>
      )}
    </Panel>
  )
}

/** Who wanted a GPU in the range of the page and got none, over time: what a purchase has to answer. */
export const DemandPanel = ({ view }: { view: CapacityView }) => {
  const { cloud, by, chosen, range } = view
  const question = {
    cloud,
    flavor: by === 'flavor' ? chosen : null,
    project: by === 'project' ? chosen : null,
    ...range,
  }
  const query = useQuery(refusedDemandOptions(question))
  const { data } = query
  const subject = subjectOf(view, data)
  return (
    <>
      <LoadProblem query={query} what="The refused servers" />
      {data === undefined ? (
        query.error === null ? (
          <Skeleton className="mb-3.5 h-[240px]" />
        ) : null
      ) : (
        <Drawn
          data={data}
          subject={subject}
          fileName={refusedFileName({ ...question, ...data })}
          isWhole={chosen !== null && by !== 'flavor' && by !== 'project'}
          csvPath={apiPaths.refusedDemandExport(question)}
        />
      )}
    </>
  )
}
