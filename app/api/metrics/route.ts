import { metricsQuerySchema } from '@/lib/schemas/api/metrics'
import { route } from '@/lib/server/http/route'
import { getMetrics } from '@/lib/services/metrics/get-metrics'
import { getProcessMetrics } from '@/lib/services/metrics/get-process-metrics'

export const dynamic = 'force-dynamic'

export const GET = route({ query: metricsQuerySchema }, async ({ ctx, query }) => {
  const parts = [await getMetrics(ctx, query), await getProcessMetrics(ctx)]
  return new Response(parts.join(''), {
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
  })
})
