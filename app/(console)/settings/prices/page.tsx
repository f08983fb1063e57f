import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { PricesPage } from '@/components/price/prices-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { priceListOptions } from '@/lib/api/prices'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { listPrices } from '@/lib/services/price/list-prices'

export const metadata: Metadata = { title: 'Price list' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(priceListOptions(scope), () => listPrices(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <PricesPage />
    </HydrationBoundary>
  )
}

export default Page
