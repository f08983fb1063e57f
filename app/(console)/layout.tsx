import { HydrationBoundary } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NotForTenants } from '@/components/session/not-for-tenants'
import { BlindBanner } from '@/components/shell/blind-banner'
import { ConsoleShell } from '@/components/shell/console-shell'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { accountOptions } from '@/lib/api/session'
import { pageContext } from '@/lib/server/http/page-context'
import { getAccount } from '@/lib/services/session/get-account'
import { maySeeFleet } from '@/lib/services/session/may-see-fleet'

const ConsoleLayout = async ({ children }: { children: ReactNode }) => {
  const ctx = await pageContext()
  const hasFleet = maySeeFleet(ctx)
  const state = await prefetchState([prefetch(accountOptions(), () => getAccount(ctx))])
  return (
    <HydrationBoundary state={state}>
      <ConsoleShell hasFleet={hasFleet}>
        {hasFleet ? (
          <>
            <BlindBanner />
            {children}
          </>
        ) : (
          <NotForTenants />
        )}
      </ConsoleShell>
    </HydrationBoundary>
  )
}

export default ConsoleLayout
