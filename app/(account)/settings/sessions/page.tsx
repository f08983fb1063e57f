import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { SessionsPage } from '@/components/session/sessions-page'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { sessionListOptions } from '@/lib/api/session'
import { pageContext } from '@/lib/server/http/page-context'
import { listSessions } from '@/lib/services/session/list-sessions'

export const metadata: Metadata = { title: 'Sessions' }

const Page = async () => {
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(sessionListOptions(), () => listSessions(ctx))])
  return (
    <HydrationBoundary state={state}>
      <SessionsPage />
    </HydrationBoundary>
  )
}

export default Page
