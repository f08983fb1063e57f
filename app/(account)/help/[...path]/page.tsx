import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { HelpPage } from '@/components/help/help-page'
import { getRuntime } from '@/lib/server/context/runtime'
import { isServiceError } from '@/lib/server/errors/service-error'
import { pageContext } from '@/lib/server/http/page-context'
import { getHelpPage } from '@/lib/services/help/get-help-page'

export const metadata: Metadata = { title: 'Documentation' }

type Props = {
  params: Promise<{ path: string[] }>
  searchParams: Promise<{ cloud?: string | string[] }>
}

const Page = async ({ params, searchParams }: Props) => {
  await pageContext()
  const { root, version } = getRuntime()
  const [{ path: address }, { cloud }] = await Promise.all([params, searchParams])
  const page = await getHelpPage(root, { address }).catch((error: unknown) => {
    if (isServiceError(error) && error.code === 'not_found') notFound()
    throw error
  })
  return <HelpPage page={page} cloud={[cloud].flat()[0] ?? null} version={version} />
}

export default Page
