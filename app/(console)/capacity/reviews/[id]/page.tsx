import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ReviewPage } from '@/components/review/review-page'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { reviewOptions } from '@/lib/api/reviews'
import { reviewParamsSchema } from '@/lib/schemas/api/review-inputs'
import { pageContext } from '@/lib/server/http/page-context'
import { getReview } from '@/lib/services/review/get-review'

type Props = { params: Promise<{ id: string }> }

export const metadata: Metadata = { title: 'Capacity review' }

const Page = async ({ params }: Props) => {
  const parsed = reviewParamsSchema.safeParse(await params)
  if (!parsed.success) notFound()
  const review = parsed.data
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(reviewOptions(review), () => getReview(ctx, review))])
  return (
    <HydrationBoundary state={state}>
      <ReviewPage id={review.id} />
    </HydrationBoundary>
  )
}

export default Page
