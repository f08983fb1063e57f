import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ChangePage } from '@/components/change/change-page'
import { changeDetailOptions } from '@/lib/api/changes'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { changeParamsSchema } from '@/lib/schemas/api/change-inputs'
import { pageContext } from '@/lib/server/http/page-context'
import { getChange } from '@/lib/services/change/get-change'

type Props = { params: Promise<{ id: string }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `Change ${(await params).id}`,
})

const Page = async ({ params }: Props) => {
  const parsed = changeParamsSchema.safeParse(await params)
  if (!parsed.success) notFound()
  const change = parsed.data
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(changeDetailOptions(change), () => getChange(ctx, change))])
  return (
    <HydrationBoundary state={state}>
      <ChangePage id={change.id} />
    </HydrationBoundary>
  )
}

export default Page
