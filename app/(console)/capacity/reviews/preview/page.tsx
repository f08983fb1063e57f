import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { PreviewPage } from '@/components/review/preview-page'
import { reviewsPath } from '@/lib/util/paths'

export const metadata: Metadata = { title: 'Preview of a review' }

/** Without a period there is nothing to preview: the list offers the periods in progress. */
const Page = async ({ searchParams }: PageProps<'/capacity/reviews/preview'>) => {
  const { cloud, period } = await searchParams
  if (period === undefined || period === '')
    redirect(reviewsPath({ cloud: typeof cloud === 'string' ? cloud : null }))
  return <PreviewPage />
}

export default Page
