import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { RequestPage } from '@/components/quota-request/request-page'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { quotaRequestOptions } from '@/lib/api/quota-requests'
import { requestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { pageContext } from '@/lib/server/http/page-context'
import { getRequest } from '@/lib/services/quota-request/get-request'

type Props = { params: Promise<{ id: string }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `Request ${(await params).id}`,
})

const Page = async ({ params }: Props) => {
  const parsed = requestParamsSchema.safeParse(await params)
  if (!parsed.success) notFound()
  const request = parsed.data
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(quotaRequestOptions(request), () => getRequest(ctx, request))])
  return (
    <HydrationBoundary state={state}>
      <RequestPage id={request.id} />
    </HydrationBoundary>
  )
}

export default Page
