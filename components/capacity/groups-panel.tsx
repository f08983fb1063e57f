import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { SkeletonRows } from '@/components/ui/skeleton'
import { capacityOptions } from '@/lib/api/capacity'
import { capacitySearchParams } from './capacity-search-params'
import { GROUP_WORDS } from './capacity-words'
import { GroupTable } from './group-table'
import type { CapacityView } from './use-capacity-view'

/** The groups that the page tells apart; where they could not be loaded, the chart above has said why. */
export const GroupsPanel = ({ view: { cloud, by, chosen, range } }: { view: CapacityView }) => {
  const [, setParams] = useQueryStates(capacitySearchParams)
  const query = useQuery(capacityOptions({ cloud, by, key: null, ...range }))
  const { data } = query
  if (data === undefined)
    return query.error === null ? <SkeletonRows rows={6} label="Loading the groups" /> : null
  if (data.series.length === 0) return null
  return (
    <section aria-label={`By ${GROUP_WORDS[by].choice}`}>
      <GroupTable data={data} by={by} chosen={chosen} onChoose={(key) => void setParams({ key })} />
    </section>
  )
}
