'use client'

import { ErrorState } from '@/components/ui/states'
import { isOutdated, isSignedOut, isUnreachable } from '@/lib/api/client'
import { TimedText } from './timed-text'
import { useIsConnectionLost } from './use-is-connection-lost'

/** Of a query: what a word about its failure needs. */
export type Loaded = {
  data: unknown
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
}

/** A notice of the page covers the cause (./page-notices). */
const isCovered = (error: Error, isLost: boolean): boolean =>
  isOutdated(error) || isSignedOut(error) || (isLost && isUnreachable(error))

/** Why a query failed, with another try; nothing while all is well, or while a notice covers a page that still has data. */
export const QueryProblem = ({
  query: { data, error, isFetching, refetch },
  title,
  titleOfOld,
}: {
  query: Loaded
  /** What could not be had. */
  title: string
  /** The title while old data is still shown. */
  titleOfOld: string
}) => {
  const isLost = useIsConnectionLost()
  if (error === null || (data !== undefined && isCovered(error, isLost))) return null
  return (
    <div className="mb-3">
      <ErrorState
        title={data === undefined ? title : titleOfOld}
        error={error}
        words={<TimedText text={error.message} isWhole />}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    </div>
  )
}

/** The same of what is loaded; `what` begins the title: "The hosts". */
export const LoadProblem = ({ query, what }: { query: Loaded; what: string }) => (
  <QueryProblem
    query={query}
    title={`${what} could not be loaded`}
    titleOfOld={`${what} could not be refreshed`}
  />
)
