import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { AgentsPage } from '@/components/agent/agents-page'
import { agentSettingsOptions } from '@/lib/api/agents'
import { freshnessOptions } from '@/lib/api/freshness'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { listAgents } from '@/lib/services/agent/list-agents'
import { getFreshness } from '@/lib/services/fleet/get-freshness'

export const metadata: Metadata = { title: 'Agents' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(agentSettingsOptions(scope), () => listAgents(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <AgentsPage />
    </HydrationBoundary>
  )
}

export default Page
