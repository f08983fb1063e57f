import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { FindingsPage } from '@/components/finding/findings-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import { findingListOptions } from '@/lib/api/findings'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import type { FindingList } from '@/lib/schemas/api/finding'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { countFindings } from '@/lib/services/finding/count-findings'
import { listFindings } from '@/lib/services/finding/list-findings'

export const metadata: Metadata = { title: 'Findings' }

/** More findings are left to the browser: they would stand in the page twice, drawn and as data. */
const MOST_WITH_THE_PAGE = 200

const unlessLarge = (list: FindingList): FindingList | undefined =>
  list.findings.length > MOST_WITH_THE_PAGE ? undefined : list

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(findingListOptions(scope), async () => unlessLarge(await listFindings(ctx, scope))),
    prefetch(findingCountsOptions(scope), () => countFindings(ctx, scope)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <FindingsPage />
    </HydrationBoundary>
  )
}

export default Page
