import type { Metadata } from 'next'
import { ApiPage } from '@/components/api-description/api-page'
import { getRuntime } from '@/lib/server/context/runtime'
import { pageContext } from '@/lib/server/http/page-context'
import { getApiDescription } from '@/lib/services/api-description/get-api-description'

export const metadata: Metadata = { title: 'API' }

const Page = async () => {
  await pageContext()
  return <ApiPage description={getApiDescription({ version: getRuntime().version })} />
}

export default Page
