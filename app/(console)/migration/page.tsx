import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { MigrationPage } from '@/components/migration/migration-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { migrationOptions } from '@/lib/api/migration'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { getMigration } from '@/lib/services/migration/get-migration'

export const metadata: Metadata = { title: 'Live migration' }

type Props = { searchParams: Promise<{ cloud?: string | string[]; type?: string | string[] }> }

const Page = async ({ searchParams }: Props) => {
  const params = await searchParams
  const scope = pageScope(params)
  const requested = { ...scope, type: [params.type].flat()[0] || null }
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(migrationOptions(requested), () => getMigration(ctx, requested)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <MigrationPage />
    </HydrationBoundary>
  )
}

export default Page
