import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { HostPage } from '@/components/host/host-page'
import { findingListOptions, UNRESOLVED } from '@/lib/api/findings'
import { hostDetailOptions } from '@/lib/api/hosts'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { listFindings } from '@/lib/services/finding/list-findings'
import { getHost } from '@/lib/services/host/get-host'

type Props = { params: Promise<{ host: string }>; searchParams: Promise<{ cloud?: string | string[] }> }

const readHost = async ({ params }: Props) => decodeURIComponent((await params).host).toLowerCase()

export const generateMetadata = async (props: Props): Promise<Metadata> => ({ title: await readHost(props) })

const Page = async (props: Props) => {
  const host = await readHost(props)
  const scope = { ...pageScope(await props.searchParams), host }
  const findings = { ...scope, ...UNRESOLVED }
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(hostDetailOptions(scope), () => getHost(ctx, scope)),
    prefetch(findingListOptions(findings), () => listFindings(ctx, findings)),
  ])
  return (
    <HydrationBoundary state={state}>
      <HostPage host={host} />
    </HydrationBoundary>
  )
}

export default Page
