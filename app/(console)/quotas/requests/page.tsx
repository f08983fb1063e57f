import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { requestQuestion } from '@/components/quota-request/request-question'
import { RequestsPage } from '@/components/quota-request/requests-page'
import { prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { quotaRequestPages } from '@/lib/api/quota-requests'
import { pageScope } from '@/lib/schemas/api/scope'
import { REQUEST_GROUPS } from '@/lib/schemas/choices'
import { pageContext } from '@/lib/server/http/page-context'
import { listRequests } from '@/lib/services/quota-request/list-requests'

export const metadata: Metadata = { title: 'Quota requests' }

type SearchParams = Record<string, string | string[] | undefined>

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const text = (name: string): string => [params[name]].flat()[0] ?? ''
  const question = requestQuestion(pageScope(params).cloud, {
    q: text('q'),
    group: REQUEST_GROUPS.find((group) => group === text('group')) ?? null,
  })
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(quotaRequestPages.options(question), () =>
      listRequests(ctx, quotaRequestPages.firstPage(question)),
    ),
  ])
  return (
    <HydrationBoundary state={state}>
      <RequestsPage />
    </HydrationBoundary>
  )
}

export default Page
