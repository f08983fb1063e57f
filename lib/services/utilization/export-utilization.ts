import 'server-only'
import { idleVgpusCsv, usageCsv } from '@/lib/domain/utilization/usage-csv'
import type { IdleVgpusScope, UtilisationScope } from '@/lib/schemas/api/utilization-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Encoded } from '@/lib/util/encode/encoded'
import { getUtilisation } from './get-utilization'
import { listIdleVgpus } from './list-idle-vgpus'

type Export = { name: string; text: Encoded<'csv'> }

const nameOf = (ctx: ServiceContext, { cloud, what }: { cloud: string; what: string }): string =>
  `sliceboard-${cloud.replaceAll(/[^\w.-]/g, '_')}-${what}-${ctx.now().toISOString().slice(0, 10)}.csv`

/** The series of utilization as a file. */
export const exportUtilisation = async (ctx: ServiceContext, input: UtilisationScope): Promise<Export> => {
  requirePermission(ctx, 'fleet.read')
  const read = await getUtilisation(ctx, input)
  return {
    name: nameOf(ctx, { cloud: read.cloud, what: `utilisation-${read.by}` }),
    text: usageCsv(read),
  }
}

/** The idle vGPUs as a file. */
export const exportIdleVgpus = async (ctx: ServiceContext, input: IdleVgpusScope): Promise<Export> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, idle } = await listIdleVgpus(ctx, input)
  return { name: nameOf(ctx, { cloud, what: 'idle-vgpus' }), text: idleVgpusCsv(idle) }
}
