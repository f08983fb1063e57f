import { queryOptions } from '@tanstack/react-query'
import type { SearchResults } from '@/lib/schemas/api/search-results'
import { SEARCH_TEXT } from '@/lib/schemas/api/search-text'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

type Scope = { cloud: string | null }

const searchKeys = {
  all: ['search'] as const,
  text: ({ cloud, text }: Scope & { text: string }) => ['search', { cloud, text }] as const,
}

/** Shorter text is not sent; the last results of the same cloud stay while the next are on their way. */
export const searchOptions = ({ cloud, text }: Scope & { text: string }) => {
  const trimmed = text.trim().slice(0, SEARCH_TEXT.maxCharacters)
  return queryOptions({
    queryKey: searchKeys.text({ cloud, text: trimmed }),
    queryFn: ({ signal }) =>
      requestJson<SearchResults>({ path: apiPaths.search({ cloud, text: trimmed }), signal }),
    enabled: trimmed.length >= SEARCH_TEXT.minCharacters,
    placeholderData: (previous, query) => (query?.queryKey[1].cloud === cloud ? previous : undefined),
    staleTime: 10_000,
  })
}
