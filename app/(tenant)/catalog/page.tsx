import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { CatalogPage } from '@/components/catalog/catalog-page'
import { catalogPages } from '@/lib/api/catalog'
import { prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { catalogChoice, catalogQuestion } from '@/lib/schemas/api/catalog-question'
import type { SearchParams } from '@/lib/schemas/api/list-query'
import { pageContext } from '@/lib/server/http/page-context'
import { getCatalog } from '@/lib/services/catalog/get-catalog'

export const metadata: Metadata = { title: 'GPU flavors' }

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const question = catalogQuestion(catalogChoice(await searchParams))
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(catalogPages.options(question), () => getCatalog(ctx, catalogPages.firstPage(question))),
  ])
  return (
    <HydrationBoundary state={state}>
      <CatalogPage />
    </HydrationBoundary>
  )
}

export default Page
