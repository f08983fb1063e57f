import type { Metadata } from 'next'
import { HelpPage } from '@/components/help/help-page'
import { getRuntime } from '@/lib/server/context/runtime'
import { pageContext } from '@/lib/server/http/page-context'
import { getHelpPage } from '@/lib/services/help/get-help-page'

export const metadata: Metadata = { title: 'Documentation' }

type Props = { searchParams: Promise<{ cloud?: string | string[] }> }

const Page = async ({ searchParams }: Props) => {
  await pageContext()
  const { root, version } = getRuntime()
  const { cloud } = await searchParams
  const page = await getHelpPage(root, { address: [] })
  return <HelpPage page={page} cloud={[cloud].flat()[0] ?? null} version={version} />
}

export default Page
