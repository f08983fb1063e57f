import 'server-only'
import { processMetrics } from '@/lib/server/metrics/process-metrics'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'

/** The console's own health for Prometheus: CPU, memory and event loop of the replica that answers. */
export const getProcessMetrics = async (ctx: Pick<ServiceContext, 'actor'>): Promise<string> => {
  requirePermission(ctx, 'fleet.read')
  return processMetrics()
}
