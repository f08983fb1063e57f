'use client'

import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/states'
import { formatNoun } from '@/lib/util/format'
import { findingSearchParams, NO_FILTER } from './finding-search-params'
import { RoundNote } from './round-note'

/** No open findings. Shows the time of the last round, and the number of other findings. */
export const NothingFound = ({
  readAt,
  acknowledged,
  closed,
}: {
  /** Null: still loading. */
  readAt: string | null
  acknowledged: number
  closed: number
}) => {
  const [, setParams] = useQueryStates(findingSearchParams)
  const others = [
    acknowledged === 0
      ? null
      : formatNoun(acknowledged, 'finding is acknowledged', 'findings are acknowledged'),
    closed === 0 ? null : formatNoun(closed, 'finding is resolved', 'findings are resolved'),
  ].filter((part) => part !== null)
  return (
    <EmptyState
      title={acknowledged === 0 ? 'Nothing found' : 'Nothing open'}
      action={
        others.length === 0 ? undefined : (
          <Button onClick={() => void setParams({ state: ['acknowledged', 'closed'] })}>
            Show all findings
          </Button>
        )
      }
    >
      {acknowledged === 0 ? 'No disagreement and no risk was found' : 'All findings are acknowledged'}
      {readAt === null ? '' : ', last checked '}
      {readAt === null ? null : <RoundNote readAt={readAt} />}.
      {others.length === 0 ? '' : ` ${others.join(', ')}.`}
    </EmptyState>
  )
}

export const NoMatch = () => {
  const [, setParams] = useQueryStates(findingSearchParams)
  return (
    <EmptyState
      title="No finding matches the filter"
      action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
    >
      Every word must occur in the sentence, the kind, the subject, the source to correct or the note.
    </EmptyState>
  )
}
