'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { ApiError } from '@/lib/api/client'
import { reviewPreviewOptions } from '@/lib/api/reviews'
import { reviewsPath } from '@/lib/util/paths'
import { reviewSearchParams } from './review-search-params'
import { ReviewSheet } from './review-sheet'
import { periodTitle } from './review-text'

/** What the review of a period would say now. */
export const PreviewPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(reviewSearchParams)
  const query = useQuery(reviewPreviewOptions({ cloud, ...params }))
  const { data, error } = query
  const isNothingYet = data === undefined && error instanceof ApiError && error.code === 'precondition'
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title={
            data === undefined ? 'Preview of a review' : `Preview of ${periodTitle(data.content.period)}`
          }
          actions={
            <>
              <Link
                href={reviewsPath({ cloud, search: params.zone === null ? {} : { zone: params.zone } })}
                className={buttonStyle({})}
              >
                All reviews
              </Link>
              {data === undefined ? null : (
                <Button onClick={() => window.print()}>Print or save as PDF</Button>
              )}
            </>
          }
        />
      </div>
      {isNothingYet ? (
        <EmptyState title="Nothing to preview yet">{error.message}</EmptyState>
      ) : (
        <LoadProblem query={query} what="The preview" />
      )}
      {data === undefined && error === null ? <Skeleton className="h-[600px]" /> : null}
      {data === undefined ? null : <ReviewSheet {...data} />}
    </>
  )
}
