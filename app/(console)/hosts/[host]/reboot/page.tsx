import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { RebootPage } from '@/components/host/reboot-page'
import { hostRebootOptions } from '@/lib/api/hosts'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getHostReboot } from '@/lib/services/host/get-host-reboot'

type Props = { params: Promise<{ host: string }>; searchParams: Promise<{ cloud?: string | string[] }> }

const readHost = async ({ params }: Props) => decodeURIComponent((await params).host).toLowerCase()

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: `Reboot of ${await readHost(props)}`,
})

const Page = async (props: Props) => {
  const host = await readHost(props)
  const scope = { ...pageScope(await props.searchParams), host }
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(hostRebootOptions(scope), () => getHostReboot(ctx, scope))])
  return (
    <HydrationBoundary state={state}>
      <RebootPage host={host} />
    </HydrationBoundary>
  )
}

export default Page
