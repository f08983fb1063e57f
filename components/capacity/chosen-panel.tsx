import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LoadProblem } from '@/components/shell/load-problem'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { capacityMarksOptions, capacityOptions } from '@/lib/api/capacity'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { apiPaths } from '@/lib/util/paths'
import { chosenName, dayOf, isHeldGroup } from './capacity-words'
import { ChartPanel } from './chart-panel'
import { FigureStrip } from './figure-strip'
import { type CapacityView, chosenQuestion, marksQuestion } from './use-capacity-view'

const isNothing = ({ used, capacity }: CapacitySeries): boolean =>
  [...used, ...capacity].every((value) => value === null)

const Nothing = ({ data }: { data: Capacity }) => (
  <div className="mb-3.5">
    <EmptyState title={data.firstKnownAt === null ? 'No history yet' : 'Nothing is known of this time'}>
      {data.firstKnownAt === null
        ? 'It begins with the first report of a host, and is drawn up every minute from then on.'
        : `The history begins on ${dayOf(data.firstKnownAt)}. Choose another range, or take the group away.`}
    </EmptyState>
  </div>
)

/** The compared range; null: none is requested, or it is not loaded. */
const useBeside = (view: CapacityView) => {
  const range = view.compared ?? { from: view.range.from, until: view.range.from }
  const query = useQuery({
    ...capacityOptions({ ...chosenQuestion(view), ...range }),
    enabled: view.compared !== null,
  })
  const data = view.compared === null ? undefined : query.data
  const [series] = data?.series ?? []
  const beside = useMemo(
    () => (data === undefined || series === undefined ? null : { data, series }),
    [data, series],
  )
  return { query, beside }
}

/** All vGPUs, or the chosen group, host or pGPU: its figures and its chart. */
export const ChosenPanel = ({ view }: { view: CapacityView }) => {
  const { by, chosen, range, compared } = view
  const question = { ...chosenQuestion(view), ...range }
  const query = useQuery(capacityOptions(question))
  const marks = useQuery(capacityMarksOptions({ ...marksQuestion(view), ...range }))
  const { query: other, beside } = useBeside(view)
  const { data } = query
  const [series] = data?.series ?? []
  const isHeld = chosen !== null && isHeldGroup(by)
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
      {series === undefined || (isNothing(series) && series.current === null) ? null : (
        <FigureStrip data={data} isHeld={isHeld} />
      )}
      {series === undefined || isNothing(series) ? (
        <Nothing data={data} />
      ) : (
        <>
          <LoadProblem query={marks} what="The changes and incidents" />
          {compared === null ? null : <LoadProblem query={other} what="The range to compare with" />}
          <ChartPanel
            data={data}
            series={series}
            beside={beside}
            marks={marks.data}
            title={chosenName(view, series)}
            csvPath={apiPaths.capacityExport({ ...question, compareFrom: compared?.from ?? null })}
            fileName={`sliceboard-${data.cloud}-capacity-${dayOf(data.from)}-${dayOf(data.until)}`}
            isHeld={isHeld}
            isPart={chosen !== null || view.host !== null}
          />
        </>
      )}
    </>
  )
}
