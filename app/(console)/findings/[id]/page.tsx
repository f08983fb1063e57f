import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { FindingPage } from '@/components/finding/finding-page'
import { findingDetailOptions } from '@/lib/api/findings'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { findingParamsSchema } from '@/lib/schemas/api/finding-inputs'
import { pageContext } from '@/lib/server/http/page-context'
import { getFinding } from '@/lib/services/finding/get-finding'

type Props = { params: Promise<{ id: string }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `Finding ${(await params).id}`,
})

const Page = async ({ params }: Props) => {
  const parsed = findingParamsSchema.safeParse(await params)
  if (!parsed.success) notFound()
  const finding = parsed.data
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(findingDetailOptions(finding), () => getFinding(ctx, finding))])
  return (
    <HydrationBoundary state={state}>
      <FindingPage id={finding.id} />
    </HydrationBoundary>
  )
}

export default Page
