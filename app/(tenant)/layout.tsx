import { HydrationBoundary } from '@tanstack/react-query'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { FreeNow } from '@/components/catalog/free-now'
import { TenantShell } from '@/components/tenant/tenant-shell'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { accountOptions } from '@/lib/api/session'
import { isOfProject } from '@/lib/server/context/require-project'
import { pageContext } from '@/lib/server/http/page-context'
import { getAccount } from '@/lib/services/session/get-account'
import { overviewPath } from '@/lib/util/paths'

/** The pages of a project; an admin of a project finds here what its members see. */
const TenantLayout = async ({ children }: { children: ReactNode }) => {
  const ctx = await pageContext()
  if (!isOfProject(ctx)) redirect(overviewPath())
  const state = await prefetchState([prefetch(accountOptions(), () => getAccount(ctx))])
  return (
    <HydrationBoundary state={state}>
      <TenantShell>
        <FreeNow />
        {children}
      </TenantShell>
    </HydrationBoundary>
  )
}

export default TenantLayout
