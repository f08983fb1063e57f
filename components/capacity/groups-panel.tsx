import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { SkeletonRows } from '@/components/ui/skeleton'
import { type CapacityQuestion, capacityOptions } from '@/lib/api/capacity'
import { apiPaths } from '@/lib/util/paths'
import { capacitySearchParams } from './capacity-search-params'
import { GROUP_WORDS } from './capacity-words'
import { GroupTable } from './group-table'
import type { CapacityView } from './use-capacity-view'

/** The groups of the page, or the pGPUs of the selected host. `onChosen`: another one was selected. */
export const GroupsPanel = ({ view, onChosen }: { view: CapacityView; onChosen: () => void }) => {
  const { cloud, chosen, host, address, range } = view
  const by = host === null ? view.by : 'pgpu'
  const [, setParams] = useQueryStates(capacitySearchParams)
  const question: CapacityQuestion = { cloud, by, key: null, host, ...range }
  const query = useQuery(capacityOptions(question))
  const { data } = query
  const words = GROUP_WORDS[by]
  if (data === undefined)
    return query.error === null ? (
      <div className="mb-3.5">
        <SkeletonRows rows={6} label="Loading the groups" />
      </div>
    ) : (
      <LoadProblem query={query} what={`The capacity by ${words.choice}`} />
    )
  if (data.series.length === 0) return null
  return (
    <section aria-label={`By ${words.choice}`} className="mb-3.5">
      <GroupTable
        data={data}
        by={by}
        chosen={host === null ? chosen : address}
        csvPath={apiPaths.capacityExport({ ...question, compareFrom: view.compared?.from ?? null })}
        onChoose={(key) => {
          void setParams(host === null ? { key } : { address: key })
          onChosen()
        }}
      />
    </section>
  )
}
