import 'server-only'
import { DRIVER_CHECK, knownDriver } from '@/lib/domain/cloud/known-driver'
import type { QuotaDriverStatus } from '@/lib/schemas/api/quota-driver'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { loadEnteredDriver } from '@/lib/services/cloud/entered-driver'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { silentBefore } from '@/lib/services/fleet/silence'

/** Which quota driver Nova's API uses, by its agents or by what an admin answered. Nova itself is not asked. */
export const getQuotaDriver = async (ctx: ServiceContext, input: CloudScope): Promise<QuotaDriverStatus> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const hosts = await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
  })
  const answer = await loadEnteredDriver(ctx.database, cloud.id)
  return {
    cloud: cloud.name,
    ...knownDriver({ hosts: hosts.map((host) => ({ host })), input: { quotaDriver: answer } }),
    answer,
    check: DRIVER_CHECK,
  }
}
