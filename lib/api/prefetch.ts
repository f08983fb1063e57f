import { type DehydratedState, dehydrate, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { createQueryClient } from './query-client'

type Prefetch = (client: QueryClient) => Promise<void>

/**
 * A question of the page's, answered in process: the browser's options, with the service as their function. Undefined
 * leaves it to the browser, for what is too large for a page.
 */
export const prefetch =
  <Data>(
    { queryKey }: { queryKey: QueryKey; queryFn?: unknown },
    load: () => Promise<Data | undefined>,
  ): Prefetch =>
  async (client) => {
    const [answer] = await Promise.allSettled([load()])
    if (answer.status === 'fulfilled' && answer.value !== undefined)
      client.setQueryData(queryKey, answer.value)
  }

/** The first page of a list that the browser reads page by page. */
export const prefetchPages = <Data>(
  options: { queryKey: QueryKey },
  load: () => Promise<Data | undefined>,
): Prefetch =>
  prefetch(options, async () => {
    const first = await load()
    return first === undefined ? undefined : { pages: [first], pageParams: [null] }
  })

/**
 * What a page gives to HydrationBoundary. A question that failed is left out: the browser asks it again and its panel
 * shows the error with a way out.
 */
export const prefetchState = async (prefetches: readonly Prefetch[]): Promise<DehydratedState> => {
  const client = createQueryClient()
  await Promise.all(prefetches.map((run) => run(client)))
  return dehydrate(client)
}
