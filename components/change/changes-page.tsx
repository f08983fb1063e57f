'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { buttonStyle } from '@/components/ui/button'
import { MoreRows } from '@/components/ui/more-rows'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { changePages } from '@/lib/api/change-list'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import { formatNoun } from '@/lib/util/format'
import { gpusPath } from '@/lib/util/paths'
import { CHANGE_COLUMNS } from './change-columns'

/** Its script is loaded after the list. */
const NewChangeMenu = dynamic(() => import('./new-change-menu').then((module) => module.NewChangeMenu), {
  ssr: false,
  loading: () => <Skeleton className="h-7 w-28" />,
})

const FirstUse = ({ cloud }: { cloud: string | null }) => (
  <EmptyState
    title="No changes yet"
    action={
      <Link href={gpusPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
        Select pGPUs
      </Link>
    }
  >
    A change begins with a plan. Select pGPUs and then “Change type” or “Tag with traits”, create a flavor, or
    change limits. Nothing is written until you have reviewed the steps and select “Start”.
  </EmptyState>
)

/** Every change of a cloud, the active ones first. */
export const ChangesPage = () => {
  const { cloud } = useCloud()
  const query = useInfiniteQuery(changePages.options({ cloud }))
  const { data, error, isPending } = query
  const changes = data?.pages.flatMap((page) => page.changes) ?? []
  const active = changes.filter(({ state }) => isActiveChange(state)).length
  return (
    <>
      <PageHeader
        title="Changes"
        sub={
          data === undefined
            ? undefined
            : active === 0
              ? 'No active changes'
              : formatNoun(active, 'active change')
        }
        actions={<NewChangeMenu cloud={cloud} />}
      />
      <LoadProblem query={query} what="The changes" />
      {isPending && error === null ? <SkeletonRows rows={8} label="Loading the changes" /> : null}
      {data !== undefined && changes.length === 0 ? <FirstUse cloud={cloud} /> : null}
      {changes.length === 0 ? null : (
        <DataTable
          label="Changes"
          columns={CHANGE_COLUMNS}
          rows={changes}
          rowKey={({ id }) => id}
          rowClass={() => 'max-md:align-top'}
          context={{ cloud }}
        />
      )}
      <MoreRows
        shown={changes.length}
        total={data?.pages[0]?.total ?? 0}
        onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
      />
    </>
  )
}
