import 'server-only'
import * as z from 'zod'
import type { IdleVgpus } from '@/lib/schemas/api/utilization'
import { type IdleVgpusScope, idleVgpusScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { type MarkScope, memberQuery } from '@/lib/services/capacity/marked-members'
import { requestedScope } from '@/lib/services/capacity/requested-scope'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { findIdleVgpus } from './find-idle-vgpus'
import type { HeldVgpu } from './held-vgpus'

// SQL: memberQuery gives the members of a scope as the text of a common table expression.
const memberRow = z.object({ host: z.string(), address: z.string().nullable() })

/** Whether a vGPU that a server uses belongs to a scope, directly or through the current group of its pGPU. */
const heldInScope = async (
  query: Query,
  { cloudId, scope }: { cloudId: number; scope: MarkScope | null },
): Promise<(vgpu: HeldVgpu) => boolean> => {
  if (scope === null) return () => true
  if (scope.by === 'type') return ({ typeId }) => typeId === scope.key
  if (scope.by === 'flavor') return ({ flavor }) => (flavor ?? '') === scope.key
  if (scope.by === 'project') return ({ projectId }) => (projectId ?? '') === scope.key
  const { text, params } = memberQuery(cloudId, scope)
  const members = await query(`WITH ${text} SELECT host, address FROM member`, params, memberRow)
  const devices = new Set(members.map(({ host, address }) => `${host} ${address ?? ''}`))
  return ({ host, address }) => devices.has(`${host} ${address}`) || devices.has(`${host} `)
}

const MAX_LISTED = 1000

/**
 * vGPUs that servers have and do not use, of the whole cloud or the requested scope, with their owners; those that cannot
 * be judged are listed separately.
 */
export const listIdleVgpus = async (ctx: ServiceContext, input: IdleVgpusScope): Promise<IdleVgpus> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, days, threshold, until, ...requested } = parseInput(idleVgpusScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const now = ctx.now()
  const asOf = until === null ? now : new Date(Math.min(now.getTime(), Date.parse(until)))
  const { history: query } = ctx.database
  const scope = await requestedScope(ctx, cloud, requested)
  const isRequested = await heldInScope(query, { cloudId: cloud.id, scope })
  const terms = { cloudId: cloud.id, asOf, days, thresholdPercent: threshold, isRequested }
  const { idle, unmeasured, held } = await findIdleVgpus(query, terms)
  return {
    cloud: cloud.name,
    asOf: asOf.toISOString(),
    days,
    thresholdPercent: threshold,
    held,
    idle: idle.slice(0, MAX_LISTED).map(({ since, ...one }) => ({ ...one, since: since.toISOString() })),
    idleCount: idle.length,
    unmeasured: unmeasured.slice(0, MAX_LISTED),
    unmeasuredCount: unmeasured.length,
  }
}
