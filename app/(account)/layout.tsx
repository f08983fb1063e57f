import { HydrationBoundary } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConsoleShell } from '@/components/shell/console-shell'
import { TenantShell } from '@/components/tenant/tenant-shell'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { accountOptions } from '@/lib/api/session'
import { pageContext } from '@/lib/server/http/page-context'
import { getAccount } from '@/lib/services/session/get-account'
import { maySeeFleet } from '@/lib/services/session/may-see-fleet'

/** Pages about the user's own account, for everyone who has signed in. */
const AccountLayout = async ({ children }: { children: ReactNode }) => {
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(accountOptions(), () => getAccount(ctx))])
  const Shell = maySeeFleet(ctx) ? ConsoleShell : TenantShell
  return (
    <HydrationBoundary state={state}>
      <Shell>{children}</Shell>
    </HydrationBoundary>
  )
}

export default AccountLayout
