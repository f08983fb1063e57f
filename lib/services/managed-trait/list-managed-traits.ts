import 'server-only'
import * as z from 'zod'
import type { ManagedTraitList } from '@/lib/schemas/api/managed-trait'
import { type ManagedTraitScope, managedTraitScopeSchema } from '@/lib/schemas/api/managed-trait-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'

// SQL: aggregates of several columns.
const LIST = `
SELECT host, pgpu_address AS address, trait, min(type_id) AS "typeId", min(type_name) AS "typeName",
  count(*)::int AS "deviceCount", max(change_id) AS "changeId", min(kept_by) AS "addedBy", max(kept_at) AS "addedAt",
  sum(put_back_count)::int AS "putBackCount", max(put_back_at) AS "lastPutBackAt", max(problem) AS problem
FROM kept_trait
WHERE cloud_id = $1 AND ($2::text IS NULL OR host = $2) AND ($3::text IS NULL OR pgpu_address = $3)
GROUP BY host, pgpu_address, trait ORDER BY host, pgpu_address, trait`

const managedTraitRow = z.object({
  host: z.string(),
  address: z.string(),
  trait: z.string(),
  typeId: z.string(),
  typeName: z.string(),
  deviceCount: z.int(),
  changeId: z.int(),
  addedBy: z.string(),
  addedAt: z.date(),
  putBackCount: z.int(),
  lastPutBackAt: z.date().nullable(),
  problem: z.string().nullable(),
})

/** Traits that the console restores whenever Nova recreates a provider: of a cloud, a host or a pGPU. */
export const listManagedTraits = async (
  ctx: ServiceContext,
  input: ManagedTraitScope,
): Promise<ManagedTraitList> => {
  requirePermission(ctx, 'fleet.read')
  const { host = null, address = null, ...scope } = parseInput(managedTraitScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const rows = await ctx.database.query(LIST, [cloud.id, host, address], managedTraitRow)
  return {
    cloud: cloud.name,
    traits: rows.map(({ addedAt, lastPutBackAt, ...row }) => ({
      ...row,
      addedAt: addedAt.toISOString(),
      lastPutBackAt: lastPutBackAt?.toISOString() ?? null,
    })),
  }
}
