import { HydrationBoundary } from '@tanstack/react-query'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { NotForTenants } from '@/components/session/not-for-tenants'
import { ConsoleShell } from '@/components/shell/console-shell'
import { FleetSilentBanner } from '@/components/shell/fleet-silent-banner'
import { TenantShell } from '@/components/tenant/tenant-shell'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { accountOptions } from '@/lib/api/session'
import { pageAddress, pageContext } from '@/lib/server/http/page-context'
import { getAccount } from '@/lib/services/session/get-account'
import { maySeeFleet } from '@/lib/services/session/may-see-fleet'
import { catalogPath, overviewPath } from '@/lib/util/paths'

const ConsoleLayout = async ({ children }: { children: ReactNode }) => {
  const ctx = await pageContext()
  const hasFleet = maySeeFleet(ctx)
  // Where everybody comes to after the sign-in; the page itself is not drawn for tenants.
  if (!hasFleet && (await pageAddress()) === overviewPath()) redirect(catalogPath())
  const state = await prefetchState([prefetch(accountOptions(), () => getAccount(ctx))])
  return (
    <HydrationBoundary state={state}>
      {hasFleet ? (
        <ConsoleShell>
          <FleetSilentBanner />
          {children}
        </ConsoleShell>
      ) : (
        <TenantShell>
          <NotForTenants />
        </TenantShell>
      )}
    </HydrationBoundary>
  )
}

export default ConsoleLayout
