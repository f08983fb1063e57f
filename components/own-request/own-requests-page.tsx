'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageTitle } from '@/components/shell/page-title'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { ownRequestListOptions } from '@/lib/api/own-requests'
import type { OwnRequestList } from '@/lib/schemas/api/quota-request'
import { OwnRequestForm } from './own-request-form'
import { OwnRequestItems } from './own-request-list'

const Ask = ({ classes }: Pick<OwnRequestList, 'classes'>) => {
  /** Where a flavor out of reach leads here. */
  const [first] = useQueryState('class', parseAsString)
  if (classes === null || classes.length === 0)
    return (
      <Panel title="Ask for more">
        <p className="text-ink2">
          {classes === null
            ? 'What your project may ask for can’t be told now. This page looks again by itself.'
            : 'No flavor of your project asks for a GPU, so there is no limit to raise: ask an admin of the cloud for a flavor first.'}
        </p>
      </Panel>
    )
  return <OwnRequestForm classes={classes} first={first} />
}

/** The own project's requests for more, and the form for another. */
export const OwnRequestsPage = () => {
  const query = useQuery(ownRequestListOptions())
  const { data, error, isPending } = query
  return (
    <>
      <PageTitle title="Requests" {...(data === undefined ? {} : { sub: `of ${data.projectName}` })} />
      <LoadProblem query={query} what="The requests" />
      {isPending && error === null ? <SkeletonRows rows={4} label="Loading the requests" /> : null}
      {data === undefined ? null : (
        <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_360px]">
          <div className="min-w-0 max-lg:order-last">
            {data.requests.length === 0 ? (
              <EmptyState title="Your project has asked for nothing yet">
                Where your limit on a kind of GPU is too low, ask for a higher one, for good or until a day.
                The answer stands here.
              </EmptyState>
            ) : (
              <OwnRequestItems requests={data.requests} />
            )}
          </div>
          <Ask classes={data.classes} />
        </div>
      )}
    </>
  )
}
