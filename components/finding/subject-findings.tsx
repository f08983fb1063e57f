'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Panel } from '@/components/ui/panel'
import { ErrorState } from '@/components/ui/states'
import { findingListOptions, UNRESOLVED } from '@/lib/api/findings'
import type { FindingDto } from '@/lib/schemas/api/gpu'
import { formatNoun } from '@/lib/util/format'
import { findingsPath } from '@/lib/util/paths'
import { FindingsList } from './findings-list'
import { TrackedList } from './tracked-list'
import { untrackedFindings } from './untracked-findings'

/** More than these would push the rest of the page away; the Findings page has all. */
const MAX_SHOWN = 8

const NONE: readonly FindingDto[] = []

/** The findings of the rounds on a host, or on an object without a host, and the newer ones from the host's report. */
export const SubjectFindings = ({
  cloud,
  host,
  about,
  own = NONE,
  note,
}: {
  cloud: string | null
  host?: string
  /** Kinds of subjects, `cloud,limit`. */
  about?: string
  /** What the host itself reported. */
  own?: readonly FindingDto[]
  note: string
}) => {
  const scope = {
    cloud,
    ...UNRESOLVED,
    ...(host === undefined ? {} : { host }),
    ...(about === undefined ? {} : { about }),
  }
  const { data, error, isFetching, refetch } = useQuery(findingListOptions(scope))
  const tracked = data?.findings ?? []
  const untracked = untrackedFindings(
    own,
    tracked.filter(({ subject }) => subject.kind === 'host'),
  )
  if (error !== null && data === undefined)
    return (
      <ErrorState
        title="The findings could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  if (tracked.length + untracked.length === 0) return null
  const more = (data?.total ?? 0) - MAX_SHOWN
  return (
    <Panel title="Findings" note={note}>
      <TrackedList findings={tracked.slice(0, MAX_SHOWN)} cloud={cloud} hasSubject />
      {more > 0 && host !== undefined ? (
        <p className="mt-2.5">
          <Link
            href={findingsPath({ cloud, search: { host } })}
            prefetch={false}
            className="text-accent-ink underline"
          >
            {formatNoun(more, 'more finding')}
          </Link>
        </p>
      ) : null}
      {tracked.length > 0 && untracked.length > 0 ? (
        <p className="mt-3 mb-1 text-ink3 text-small">Reported by the host since the last round</p>
      ) : null}
      {untracked.length === 0 ? null : <FindingsList findings={untracked} />}
    </Panel>
  )
}
