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

const RequestForm = ({ classes }: Pick<OwnRequestList, 'classes'>) => {
  /** Set by the link of a flavor that the limit excludes. */
  const [first] = useQueryState('class', parseAsString)
  if (classes === null || classes.length === 0)
    return (
      <Panel title="Request quota">
        <p className="text-ink2">
          {classes === null
            ? 'The resource classes have not been read yet. This page refreshes automatically.'
            : 'No flavor of your project requests a GPU, so no limit applies. Ask an admin of the cloud for a flavor.'}
        </p>
      </Panel>
    )
  return <OwnRequestForm classes={classes} first={first} />
}

/** The quota requests of the project, and the form for a new one. */
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
              <EmptyState title="No requests yet">
                If a GPU limit of your project is too low, request a higher one, permanently or until a date.
                The answer is shown here.
              </EmptyState>
            ) : (
              <OwnRequestItems requests={data.requests} />
            )}
          </div>
          <RequestForm classes={data.classes} />
        </div>
      )}
    </>
  )
}
