import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ScenariosPage } from '@/components/scenario/scenarios-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { scenarioListOptions } from '@/lib/api/scenarios'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { listScenarios } from '@/lib/services/scenario/list-scenarios'

export const metadata: Metadata = { title: 'Scenario planner' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(scenarioListOptions(scope), () => listScenarios(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <ScenariosPage />
    </HydrationBoundary>
  )
}

export default Page
