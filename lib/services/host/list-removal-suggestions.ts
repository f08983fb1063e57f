import 'server-only'
import * as z from 'zod'
import { continuedBy, SUGGEST_REMOVAL_AFTER_DAYS } from '@/lib/domain/host/removal-suggestion'
import type { RemovalSuggestions } from '@/lib/schemas/api/host-removal'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { silentBefore } from '@/lib/services/fleet/silence'
import { loadSpans } from '@/lib/services/stored-host/host-span'

const DAY_MS = 86_400_000

const candidateRow = z.object({
  id: z.int(),
  name: z.string(),
  seenAt: z.date().nullable(),
  createdAt: z.date(),
  gpuCount: z.int(),
  isSilent: z.boolean(),
})

// SQL: one statement for silent hosts, and those that first appeared after one of them was last seen.
const CANDIDATES = `
WITH silent AS (
  SELECT id, seen_at FROM current_host WHERE cloud_id = $1 AND (seen_at IS NULL OR seen_at < $2::timestamptz)
)
SELECT h.id, h.name, h.seen_at AS "seenAt", h.created_at AS "createdAt", h.gpu_count AS "gpuCount",
  h.id IN (SELECT id FROM silent) AS "isSilent"
FROM current_host h WHERE h.cloud_id = $1
  AND (h.id IN (SELECT id FROM silent) OR h.created_at >= (SELECT min(seen_at) FROM silent)) ORDER BY h.name`

type GpuUuids = ReadonlyMap<string, readonly string[]>

const loadUuids = async (
  ctx: ServiceContext,
  cloudId: number,
  rows: readonly z.infer<typeof candidateRow>[],
): Promise<GpuUuids> => {
  const hosts = await loadHostFacts(ctx.database, {
    cloudId,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
    hostIds: rows.map(({ id }) => id),
  })
  return new Map(
    hosts.map(({ name, inventory }) => [
      name,
      (inventory.nvidiaSmi?.gpus ?? []).flatMap(({ uuid }) => uuid ?? []),
    ]),
  )
}

/** Hosts that are probably gone: silent for 30 days, or their GPUs are reported by a host that appeared since. */
export const listRemovalSuggestions = async (
  ctx: ServiceContext,
  input: CloudScope,
): Promise<RemovalSuggestions> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.query(CANDIDATES, [cloud.id, silentBefore(ctx)], candidateRow)
  const uuids = rows.some(({ isSilent }) => isSilent) ? await loadUuids(ctx, cloud.id, rows) : new Map()
  const spans = await loadSpans(
    ctx.database.query,
    rows.map(({ id }) => id),
  )
  const seen = rows.map((row) => ({
    ...row,
    firstKnownAt: spans.find(({ id }) => id === row.id)?.firstKnownAt?.getTime() ?? Number.NEGATIVE_INFINITY,
    lastSeenAt: spans.find(({ id }) => id === row.id)?.lastKnownAt?.getTime() ?? null,
    gpuUuids: uuids.get(row.name) ?? [],
  }))
  const longAgo = ctx.now().getTime() - SUGGEST_REMOVAL_AFTER_DAYS * DAY_MS
  const hosts = seen
    .filter(({ isSilent }) => isSilent)
    .map((host) => {
      const silentSince = host.seenAt ?? host.createdAt
      return {
        host: host.name,
        silentSince: silentSince.toISOString(),
        hasReported: host.seenAt !== null,
        gpuCount: host.gpuCount,
        continuedBy: continuedBy(host, seen),
      }
    })
    .filter((host) => host.continuedBy !== null || Date.parse(host.silentSince) <= longAgo)
  return { cloud: cloud.name, afterDays: SUGGEST_REMOVAL_AFTER_DAYS, hosts }
}
