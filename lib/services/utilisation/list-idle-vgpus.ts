import 'server-only'
import type { IdleVgpus } from '@/lib/schemas/api/utilisation'
import { type IdleVgpusScope, idleVgpusScopeSchema } from '@/lib/schemas/api/utilisation-inputs'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { findIdleVgpus } from './find-idle-vgpus'

const MOST_LISTED = 1000

/** vGPUs that servers hold and do not use, with their owners; those of which nobody can tell stand apart. */
export const listIdleVgpus = async (ctx: ServiceContext, input: IdleVgpusScope): Promise<IdleVgpus> => {
  requirePermission(ctx, 'fleet.read')
  const { days, threshold, ...scope } = parseInput(idleVgpusScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const asOf = ctx.now()
  const terms = { cloudId: cloud.id, asOf, days, thresholdPercent: threshold }
  const { idle, untold, held } = await findIdleVgpus(ctx.database.history, terms)
  return {
    cloud: cloud.name,
    asOf: asOf.toISOString(),
    days,
    thresholdPercent: threshold,
    held,
    idle: idle.slice(0, MOST_LISTED).map(({ since, ...one }) => ({ ...one, since: since.toISOString() })),
    idleCount: idle.length,
    untold: untold.slice(0, MOST_LISTED),
    untoldCount: untold.length,
  }
}
