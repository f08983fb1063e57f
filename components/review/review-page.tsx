'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { reviewOptions } from '@/lib/api/reviews'
import { apiPaths, reviewsPath } from '@/lib/util/paths'
import { ReviewSheet } from './review-sheet'
import { periodTitle } from './review-text'

/** A frozen review: a sheet for the screen, for paper, and as files. */
export const ReviewPage = ({ id }: { id: number }) => {
  const { cloud } = useCloud()
  const query = useQuery(reviewOptions({ id }))
  const { data } = query
  const all = { href: reviewsPath({ cloud }), label: 'All reviews' }
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title={data === undefined ? 'Capacity review' : `Review of ${periodTitle(data.content.period)}`}
          actions={
            <>
              {data === undefined ? null : (
                <>
                  <a href={apiPaths.reviewExport({ id, format: 'csv' })} download className={buttonStyle({})}>
                    CSV
                  </a>
                  <a
                    href={apiPaths.reviewExport({ id, format: 'json' })}
                    download
                    className={buttonStyle({})}
                  >
                    JSON
                  </a>
                </>
              )}
              <Link href={all.href} className={`${buttonStyle({})} max-sm:hidden`}>
                All reviews
              </Link>
              {data === undefined ? null : (
                <Button variant="main" onClick={() => window.print()}>
                  Print or save as PDF
                </Button>
              )}
            </>
          }
        />
      </div>
      <SubjectProblem query={query} subject="review" all={all} what="The review" />
      {data === undefined && query.error === null ? <Skeleton className="h-[600px]" /> : null}
      {data === undefined ? null : <ReviewSheet {...data} />}
    </>
  )
}
