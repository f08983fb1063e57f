import 'server-only'
import * as z from 'zod'
import { type MigrationMatrix, migrationMatrix } from '@/lib/domain/cloud/migration-matrix'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Migration, MigrationMatrixDto } from '@/lib/schemas/api/migration'
import { type MigrationScope, migrationScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud, neverReadFacts } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinCloud } from '@/lib/services/cloud-reading/join-cloud'

/** The matrix shows the last values; every page shows how old they are. */
const NEVER_STALE_MS = Number.MAX_SAFE_INTEGER

// SQL: one aggregate over the cards of the view of current hosts.
const TYPES = `
SELECT t.type_id AS "typeId", min(t.name) AS name, array_agg(DISTINCT h.id) AS "hostIds"
FROM pgpu p JOIN current_host h ON h.id = p.host_id JOIN vgpu_type t ON t.id = p.type_id
WHERE h.cloud_id = $1 GROUP BY t.type_id ORDER BY count(DISTINCT h.id) DESC, t.type_id`

const typeRow = z.object({ typeId: z.string(), name: z.string().nullable(), hostIds: z.array(z.int()) })

const matrixDto = ({ hosts, pairs, ...matrix }: MigrationMatrix): MigrationMatrixDto => ({
  ...matrix,
  hosts: [...hosts],
  pairs: pairs.map(({ blockers, cautions, ...pair }) => ({
    ...pair,
    blockers: [...blockers],
    cautions: [...cautions],
  })),
})

const matrixOf = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { typeId, hostIds }: z.infer<typeof typeRow>,
): Promise<MigrationMatrixDto> => {
  const facts = (await factsOfCloud(ctx, cloud))?.facts ?? neverReadFacts(ctx, cloud)
  const fleet = await joinCloud(ctx, { cloud, facts, hostIds, staleAfterMs: NEVER_STALE_MS })
  return matrixDto(migrationMatrix(fleet, typeId))
}

/** Between which hosts servers with vGPUs of a type can be live-migrated, and what prevents it. */
export const getMigration = async (ctx: ServiceContext, input: MigrationScope): Promise<Migration> => {
  requirePermission(ctx, 'fleet.read')
  const { type, ...scope } = parseInput(migrationScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const types = await ctx.database.query(TYPES, [cloud.id], typeRow)
  const chosen = type === null ? types[0] : types.find(({ typeId }) => typeId === type)
  return {
    cloud: cloud.name,
    types: types.map(({ typeId, name, hostIds }) => ({
      typeId,
      typeName: readTypeFacts({ typeId, name, description: null }).shortName,
      hostCount: hostIds.length,
    })),
    matrix: chosen === undefined ? null : await matrixOf(ctx, cloud, chosen),
  }
}
