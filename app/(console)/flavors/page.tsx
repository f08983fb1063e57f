import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { FlavorsPage } from '@/components/flavor/flavors-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { flavorPages } from '@/lib/api/flavors'
import { prefetch, prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { listChoice, listQuestion, type SearchParams } from '@/lib/schemas/api/list-query'
import { pageScope } from '@/lib/schemas/api/scope'
import { FLAVOR_LIST } from '@/lib/schemas/choices'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listFlavors } from '@/lib/services/flavor/list-flavors'
import { inTime } from '@/lib/util/in-time'

export const metadata: Metadata = { title: 'Flavors' }

/** After that the page comes without the list, which the browser then requests. */
const PATIENCE_MS = 300

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const scope = pageScope(params)
  const question = listQuestion(scope.cloud, listChoice(FLAVOR_LIST, params))
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(flavorPages.options(question), () =>
      inTime(PATIENCE_MS, listFlavors(ctx, flavorPages.firstPage(question))),
    ),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <FlavorsPage />
    </HydrationBoundary>
  )
}

export default Page
