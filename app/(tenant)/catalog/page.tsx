import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { CatalogPage } from '@/components/catalog/catalog-page'
import { catalogOptions } from '@/lib/api/catalog'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageContext } from '@/lib/server/http/page-context'
import { getCatalog } from '@/lib/services/catalog/get-catalog'

export const metadata: Metadata = { title: 'Catalog' }

const Page = async () => {
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(catalogOptions(), () => getCatalog(ctx))])
  return (
    <HydrationBoundary state={state}>
      <CatalogPage />
    </HydrationBoundary>
  )
}

export default Page
