import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { quotaQuestion } from '@/components/quota/quota-question'
import { QuotasPage } from '@/components/quota/quotas-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { prefetch, prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { quotaPages } from '@/lib/api/quotas'
import { pageScope } from '@/lib/schemas/api/scope'
import { QUOTA_SORTS, QUOTA_STATES } from '@/lib/schemas/choices'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listQuotas } from '@/lib/services/quota/list-quotas'

export const metadata: Metadata = { title: 'Quotas' }

type SearchParams = Record<string, string | string[] | undefined>

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const scope = pageScope(params)
  const text = (name: string): string => [params[name]].flat()[0] ?? ''
  const question = quotaQuestion(scope.cloud, {
    q: text('q'),
    classes: text('classes') === '' ? [] : text('classes').split(','),
    all: text('all') === 'true',
    idle: text('idle') === 'true',
    state: QUOTA_STATES.find((state) => state === text('state')) ?? null,
    sort: QUOTA_SORTS.find((sort) => sort === text('sort')) ?? 'use',
    desc: text('desc') === 'true',
  })
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(quotaPages.options(question), () => listQuotas(ctx, quotaPages.firstPage(question))),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <QuotasPage />
    </HydrationBoundary>
  )
}

export default Page
