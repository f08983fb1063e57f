import 'server-only'
import { idleVgpusCsv, usageCsv } from '@/lib/domain/utilization/usage-csv'
import type { IdleVgpusScope, UtilizationScope } from '@/lib/schemas/api/utilization-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Encoded } from '@/lib/util/encode/encoded'
import { getUtilization } from './get-utilization'
import { listIdleVgpus } from './list-idle-vgpus'

type Export = { name: string; text: Encoded<'csv'> }

const nameOf = (ctx: ServiceContext, { cloud, what }: { cloud: string; what: string }): string =>
  `sliceboard-${cloud.replaceAll(/[^\w.-]/g, '_')}-${what}-${ctx.now().toISOString().slice(0, 10)}.csv`

/** The series of utilization as a file. */
export const exportUtilization = async (ctx: ServiceContext, input: UtilizationScope): Promise<Export> => {
  requirePermission(ctx, 'fleet.read')
  const read = await getUtilization(ctx, input)
  return {
    name: nameOf(ctx, { cloud: read.cloud, what: `utilization-${read.by}` }),
    text: usageCsv(read),
  }
}

/** The idle vGPUs as a file. */
export const exportIdleVgpus = async (ctx: ServiceContext, input: IdleVgpusScope): Promise<Export> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, idle } = await listIdleVgpus(ctx, input)
  return { name: nameOf(ctx, { cloud, what: 'idle-vgpus' }), text: idleVgpusCsv(idle) }
}
