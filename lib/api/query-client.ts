import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client'
import { noteSessionEnd } from './session-end'

/** A refusal (4xx) is final; a temporary failure (no answer, 5xx, 429) is retried twice. */
const shouldRetry = (failureCount: number, error: Error): boolean => {
  if (failureCount >= 2) return false
  if (!(error instanceof ApiError)) return true
  return error.code !== 'unreadable' && (error.status === 0 || error.status === 429 || error.status >= 500)
}

const retryDelayMs = (failureCount: number, error: Error): number => {
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : null
  return retryAfterSeconds === null ? Math.min(1000 * 2 ** failureCount, 10_000) : retryAfterSeconds * 1000
}

/** One per browser tab, and one per request on the server. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: noteSessionEnd }),
    mutationCache: new MutationCache({ onError: noteSessionEnd }),
    defaultOptions: {
      // `always`: without it a browser that reports no network holds requests back, changes too, and sends them later.
      queries: {
        staleTime: 2000,
        retry: shouldRetry,
        retryDelay: retryDelayMs,
        refetchOnWindowFocus: true,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
      // Data comes with a page as one text: of objects React would visit every number, twice on the server and once here.
      dehydrate: { serializeData: (data: unknown) => JSON.stringify(data) },
      hydrate: { deserializeData: (text: string): unknown => JSON.parse(text) },
    },
  })
