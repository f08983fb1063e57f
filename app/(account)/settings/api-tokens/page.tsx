import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ApiTokensPage } from '@/components/api-token/api-tokens-page'
import { apiTokenListOptions } from '@/lib/api/api-tokens'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageContext } from '@/lib/server/http/page-context'
import { listApiTokens } from '@/lib/services/api-token/list-api-tokens'

export const metadata: Metadata = { title: 'API tokens' }

const Page = async () => {
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(apiTokenListOptions(), () => listApiTokens(ctx))])
  return (
    <HydrationBoundary state={state}>
      <ApiTokensPage />
    </HydrationBoundary>
  )
}

export default Page
