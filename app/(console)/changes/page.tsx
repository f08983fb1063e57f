import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ChangesPage } from '@/components/change/changes-page'
import { changePages } from '@/lib/api/change-list'
import { prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { listChanges } from '@/lib/services/change/list-changes'

export const metadata: Metadata = { title: 'Changes' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(changePages.options(scope), () => listChanges(ctx, changePages.firstPage(scope))),
  ])
  return (
    <HydrationBoundary state={state}>
      <ChangesPage />
    </HydrationBoundary>
  )
}

export default Page
