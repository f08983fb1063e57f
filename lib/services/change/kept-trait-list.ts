import 'server-only'
import { type KeptPlace, missingPlaces } from '@/lib/domain/plans/kept-traits/keep-traits-step'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { PrismaConnection } from '@/lib/server/database/database'
import type { ChangeRow } from './change-rows'
import type { KeptTraitList } from './works/step-work'

// SQL: one upsert for all traits of a pGPU.
const ADD = `
INSERT INTO kept_trait (cloud_id, host, pgpu_address, address, trait, provider_name, type_id, type_name, provider_uuid,
  change_id, kept_by, kept_at)
SELECT $1, $2, $3, t.address, t.trait, t."providerName", t."typeId", t."typeName", t."providerUuid", $5, $6, $7::timestamptz
FROM jsonb_to_recordset($4::jsonb) AS t (address text, trait text, "providerName" text, "typeId" text, "typeName" text,
  "providerUuid" text)
ON CONFLICT (cloud_id, host, address, trait) DO UPDATE SET type_id = excluded.type_id, type_name = excluded.type_name,
  provider_uuid = excluded.provider_uuid, change_id = excluded.change_id, kept_by = excluded.kept_by,
  kept_at = excluded.kept_at, intent_uuid = NULL, intent_at = NULL, problem = NULL`

const listManaged = (
  { prisma }: PrismaConnection,
  { cloudId }: ChangeRow,
  { host, pgpuAddress }: { host: string; pgpuAddress: string },
): Promise<KeptPlace[]> =>
  prisma.keptTrait.findMany({
    where: { cloudId, host, pgpuAddress },
    select: { address: true, providerName: true, trait: true, typeId: true, typeName: true },
    orderBy: [{ address: 'asc' }, { trait: 'asc' }],
  })

/** What the console keeps, as a step of this change reads and writes it. */
export const keptTraitList = ({ database, now }: ServiceContext, change: ChangeRow): KeptTraitList => ({
  list: (target) => listManaged(database, change, target),
  set: ({ host, pgpuAddress }, places) =>
    database.transaction(async (connection) => {
      const held = await listManaged(connection, change, { host, pgpuAddress })
      const gone = missingPlaces(held, places)
      const added = missingPlaces(places, held)
      if (gone.length > 0)
        await connection.prisma.keptTrait.deleteMany({
          where: {
            cloudId: change.cloudId,
            host,
            OR: gone.map(({ address, trait }) => ({ address, trait })),
          },
        })
      if (added.length === 0) return
      const by = change.runBy ?? change.madeBy
      const values = [change.cloudId, host, pgpuAddress, JSON.stringify(added), change.id, by, now()]
      await connection.query(ADD, values)
    }),
})
