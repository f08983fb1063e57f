'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryState } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { useIsInBrowser } from '@/components/shell/use-is-in-browser'
import { buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Toolbar } from '@/components/ui/toolbar'
import { reviewListOptions } from '@/lib/api/reviews'
import type { ReviewList } from '@/lib/schemas/api/review'
import { timeZoneName } from '@/lib/util/format'
import { capacityPath } from '@/lib/util/paths'
import { ReviewTable } from './review-table'

/** The console's zone, UTC and the reader's own; the server knows no reader. */
const useZones = (list: ReviewList, isChosen: boolean): string[] => {
  const isOnBrowser = useIsInBrowser()
  const own = isOnBrowser ? [timeZoneName()] : []
  return [...new Set([...(isChosen ? [] : [list.timeZone]), 'UTC', ...own, list.timeZone])]
}

const ZoneChoice = ({ list }: { list: ReviewList }) => {
  const [zone, setZone] = useQueryState('zone', parseAsString)
  const zones = useZones(list, zone !== null)
  return (
    <Toolbar>
      <ChoiceChip
        label="Time zone"
        isMultiple={false}
        choices={zones.map((value) => ({ value, label: value }))}
        chosen={[list.timeZone]}
        onChoose={([value]) => void setZone(value ?? null)}
      />
    </Toolbar>
  )
}

/** Months and quarters of a cloud with what was reported of them. */
export const ReviewsPage = () => {
  const { cloud } = useCloud()
  const [zone] = useQueryState('zone', parseAsString)
  const query = useQuery(reviewListOptions({ cloud, zone }))
  const { data } = query
  return (
    <>
      <PageHeader
        title="Capacity reviews"
        sub="months and quarters; what has closed is frozen"
        actions={
          <Link href={capacityPath({ cloud })} className={buttonStyle({})}>
            Capacity
          </Link>
        }
      />
      <LoadProblem query={query} what="The reviews" />
      {data === undefined ? (
        query.error === null ? (
          <SkeletonRows rows={6} label="Loading the reviews" />
        ) : null
      ) : data.periods.length === 0 ? (
        <EmptyState title="No history yet">
          It begins with the first report of a host. A day after a month has ended its review is frozen by
          itself, and stands here from then on.
        </EmptyState>
      ) : (
        <>
          <ZoneChoice list={data} />
          <ReviewTable list={data} zone={zone} />
        </>
      )}
    </>
  )
}
