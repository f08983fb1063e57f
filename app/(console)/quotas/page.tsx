import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { QuotasPage } from '@/components/quota/quotas-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { quotaListOptions } from '@/lib/api/quotas'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listQuotas } from '@/lib/services/quota/list-quotas'

export const metadata: Metadata = { title: 'Quotas' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(quotaListOptions(scope), () => listQuotas(ctx, scope)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <QuotasPage />
    </HydrationBoundary>
  )
}

export default Page
