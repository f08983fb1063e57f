import { queryOptions } from '@tanstack/react-query'
import type { ChangeList } from '@/lib/schemas/api/change-list'
import { apiPaths } from '@/lib/util/paths'
import { changeKeys } from './change-keys'
import { requestJson } from './client'
import { pagedList } from './paged-list'
import { type PollPace, pollWhileMoving } from './poll-interval'

/** Pace of requests for changes in these states. */
export const changePace = (states: readonly string[]): PollPace =>
  states.some((state) => state === 'running' || state === 'undoing')
    ? { fastMs: 1000, slowMs: 3000 }
    : { fastMs: 10_000, slowMs: 15_000 }

/** The first changes of the list, which has active ones first. */
export const firstChangesOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: changeKeys.first({ cloud }),
    queryFn: ({ signal }) =>
      requestJson<ChangeList>({ path: apiPaths.changes({ cloud, limit: '5' }), signal }),
    refetchInterval: pollWhileMoving(({ changes }: ChangeList) =>
      changePace(changes.map(({ state }) => state)),
    ),
  })

/** Apart from the details of a change, which the list does not load. */
export const changePages = pagedList<{ cloud: string | null }, ChangeList>({
  key: ['changes', 'pages'],
  path: apiPaths.changes,
  pace: (pages) => changePace(pages.flatMap(({ changes }) => changes.map(({ state }) => state))),
})
