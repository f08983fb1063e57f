import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ABOUT_CLOUD } from '@/components/cloud/about-cloud'
import { CloudPage } from '@/components/cloud/cloud-page'
import { apiAliasOptions } from '@/lib/api/api-aliases'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { findingListOptions, UNRESOLVED } from '@/lib/api/findings'
import { managedTraitListOptions } from '@/lib/api/managed-traits'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getApiAliases } from '@/lib/services/api-alias/get-api-aliases'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listFindings } from '@/lib/services/finding/list-findings'
import { listManagedTraits } from '@/lib/services/managed-trait/list-managed-traits'

export const metadata: Metadata = { title: 'Cloud' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const findings = { ...scope, ...UNRESOLVED, about: ABOUT_CLOUD }
  const state = await prefetchState([
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
    prefetch(apiAliasOptions(scope), () => getApiAliases(ctx, scope)),
    prefetch(managedTraitListOptions(scope), () => listManagedTraits(ctx, scope)),
    prefetch(findingListOptions(findings), () => listFindings(ctx, findings)),
  ])
  return (
    <HydrationBoundary state={state}>
      <CloudPage />
    </HydrationBoundary>
  )
}

export default Page
