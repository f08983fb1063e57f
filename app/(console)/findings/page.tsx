import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { findingQuestion } from '@/components/finding/finding-question'
import { FindingsPage } from '@/components/finding/findings-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import { findingMutesOptions } from '@/lib/api/finding-mutes'
import { findingPages } from '@/lib/api/findings'
import { prefetch, prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { countFindings } from '@/lib/services/finding/count-findings'
import { listFindingMutes } from '@/lib/services/finding/list-finding-mutes'
import { listFindings } from '@/lib/services/finding/list-findings'

export const metadata: Metadata = { title: 'Findings' }

type SearchParams = Record<string, string | string[] | undefined>

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const scope = pageScope(params)
  const listOf = (name: string): string[] => [params[name]].flat().filter((value) => value !== undefined)
  const question = findingQuestion(scope.cloud, {
    q: listOf('q')[0] ?? '',
    severity: listOf('severity'),
    state: listOf('state'),
    host: listOf('host'),
    code: listOf('code'),
    sourceToCorrect: listOf('sourceToCorrect'),
  })
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(findingPages.options(question), () => listFindings(ctx, findingPages.firstPage(question))),
    prefetch(findingCountsOptions(scope), () => countFindings(ctx, scope)),
    prefetch(findingMutesOptions(scope), () => listFindingMutes(ctx, scope)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <FindingsPage />
    </HydrationBoundary>
  )
}

export default Page
