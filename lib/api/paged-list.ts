import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { requestJson } from './client'
import { type PollPace, pollWhileMoving } from './poll-interval'
import { readAllPages } from './read-all-pages'

const MAX_PAGE = '1000'

type Page = { next: string | null }

/** A list that the server sends page by page. `Question` is what it is filtered and sorted by. */
export const pagedList = <Question extends object, List extends Page>({
  key,
  path,
  pageSize = 50,
  pace = { fastMs: 10_000, slowMs: 20_000 },
}: {
  /** Of the answers in the cache, before the question. */
  key: readonly string[]
  path: (question: Question & { limit: string; cursor: string | null }) => string
  pageSize?: number
  /** How often the loaded pages are requested again. */
  pace?: PollPace | ((pages: readonly List[]) => PollPace)
}) => {
  /** The first page as the server prefetches it. */
  const firstPage = (question: Question) => ({ ...question, limit: String(pageSize) })
  return {
    firstPage,
    options: (question: Question) =>
      infiniteQueryOptions({
        queryKey: [...key, question],
        queryFn: ({ pageParam, signal }) =>
          requestJson<List>({ path: path({ ...firstPage(question), cursor: pageParam }), signal }),
        initialPageParam: null as string | null,
        getNextPageParam: ({ next }) => next,
        placeholderData: keepPreviousData,
        refetchInterval: pollWhileMoving<{ pages: List[] }>(
          typeof pace === 'function' ? ({ pages }) => pace(pages) : pace,
        ),
      }),
    /** Every page that the question has. */
    readAll: (question: Question) =>
      readAllPages((cursor) => requestJson<List>({ path: path({ ...question, limit: MAX_PAGE, cursor }) })),
  }
}
