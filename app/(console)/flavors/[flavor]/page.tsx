import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { hostQuestion } from '@/components/fit/host-question'
import { FlavorPage } from '@/components/flavor/flavor-page'
import { firstFitPage, flavorFitOptions } from '@/lib/api/flavors'
import { prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { explainFlavor } from '@/lib/services/flavor/explain-flavor'
import { inTime } from '@/lib/util/in-time'

type Props = {
  params: Promise<{ flavor: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export const metadata: Metadata = { title: 'Flavor' }

/** A Placement that takes longer is waited for in the browser. */
const PATIENCE_MS = 1500

const Page = async ({ params, searchParams }: Props) => {
  const flavor = decodeURIComponent((await params).flavor)
  const search = await searchParams
  const zone = [search.zone].flat()[0] || null
  const scope = { ...pageScope(search), flavor, zone, ...hostQuestion(search) }
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(flavorFitOptions(scope), () =>
      inTime(PATIENCE_MS, explainFlavor(ctx, firstFitPage(scope))),
    ),
  ])
  return (
    <HydrationBoundary state={state}>
      <FlavorPage id={flavor} />
    </HydrationBoundary>
  )
}

export default Page
