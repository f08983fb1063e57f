import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { hostQuestion } from '@/components/fit/host-question'
import { TypePage } from '@/components/flavor/type-page'
import { firstFitPage, typeFitOptions } from '@/lib/api/flavors'
import { prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { explainType } from '@/lib/services/vgpu-type/explain-type'
import { inTime } from '@/lib/util/in-time'

type Props = {
  params: Promise<{ type: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const readType = async ({ params }: Props) => decodeURIComponent((await params).type)

export const generateMetadata = async (props: Props): Promise<Metadata> => ({ title: await readType(props) })

/** A Placement that takes longer is waited for in the browser. */
const PATIENCE_MS = 1500

const Page = async (props: Props) => {
  const type = await readType(props)
  const search = await props.searchParams
  const scope = { ...pageScope(search), type, ...hostQuestion(search) }
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(typeFitOptions(scope), () => inTime(PATIENCE_MS, explainType(ctx, firstFitPage(scope)))),
  ])
  return (
    <HydrationBoundary state={state}>
      <TypePage type={type} />
    </HydrationBoundary>
  )
}

export default Page
