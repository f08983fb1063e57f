import { useQuery } from '@tanstack/react-query'
import { LoadProblem } from '@/components/shell/load-problem'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { capacityOptions } from '@/lib/api/capacity'
import { apiPaths } from '@/lib/util/paths'
import { dayOf, GROUP_WORDS, isHeldGroup } from './capacity-words'
import { ChartPanel } from './chart-panel'
import { FigureStrip } from './figure-strip'
import type { CapacityView } from './use-capacity-view'

/** All vGPUs or the chosen group: its figures and its chart. */
export const ChosenPanel = ({ view: { cloud, by, chosen, range } }: { view: CapacityView }) => {
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
          <FigureStrip data={data} isHeld={isHeld} />
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
