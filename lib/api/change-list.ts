import { changeListSchema } from '@/lib/schemas/api/change-list'
import { apiPaths } from '@/lib/util/paths'
import { pagedList } from './paged-list'
import type { PollPace } from './poll-interval'

/** Pace of requests for changes in these states. */
export const changePace = (states: readonly string[]): PollPace =>
  states.some((state) => state === 'running' || state === 'undoing')
    ? { fastMs: 1000, slowMs: 3000 }
    : { fastMs: 10_000, slowMs: 15_000 }

/** Apart from the details of a change, which the list does not load. */
export const changePages = pagedList<{ cloud: string | null }, typeof changeListSchema>({
  key: ['changes', 'pages'],
  path: apiPaths.changes,
  schema: changeListSchema,
  pace: (pages) => changePace(pages.flatMap(({ changes }) => changes.map(({ state }) => state))),
})
