import 'server-only'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { processMetrics } from '@/lib/server/metrics/process-metrics'

/** The console's own health for Prometheus: CPU, memory and event loop of the replica that answers. */
export const getProcessMetrics = async (ctx: Pick<ServiceContext, 'actor'>): Promise<string> => {
  requirePermission(ctx, 'fleet.read')
  return processMetrics()
}
