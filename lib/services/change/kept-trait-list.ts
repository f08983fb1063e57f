import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { type KeptPlace, missingPlaces } from '@/lib/domain/plans/kept-traits/keep-traits-step'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { ChangeRow } from './change-rows'
import type { KeptTraitList } from './works/step-work'

const LIST = `
SELECT address, provider_name AS "providerName", trait, type_id AS "typeId", type_name AS "typeName"
FROM kept_trait WHERE cloud_id = $1 AND host = $2 AND pgpu_address = $3 ORDER BY address, trait`

const DROP = `
DELETE FROM kept_trait USING jsonb_to_recordset($3::jsonb) AS t (address text, trait text)
WHERE cloud_id = $1 AND host = $2 AND kept_trait.address = t.address AND kept_trait.trait = t.trait`

const ADD = `
INSERT INTO kept_trait (cloud_id, host, pgpu_address, address, trait, provider_name, type_id, type_name, provider_uuid,
  change_id, kept_by, kept_at)
SELECT $1, $2, $3, t.address, t.trait, t."providerName", t."typeId", t."typeName", t."providerUuid", $5, $6, $7::timestamptz
FROM jsonb_to_recordset($4::jsonb) AS t (address text, trait text, "providerName" text, "typeId" text, "typeName" text,
  "providerUuid" text)
ON CONFLICT (cloud_id, host, address, trait) DO UPDATE SET type_id = excluded.type_id, type_name = excluded.type_name,
  provider_uuid = excluded.provider_uuid, change_id = excluded.change_id, kept_by = excluded.kept_by,
  kept_at = excluded.kept_at, intent_uuid = NULL, intent_at = NULL, problem = NULL`

/** What the console keeps, as a step of this change reads and writes it. */
export const keptTraitList = ({ database, now }: ServiceContext, change: ChangeRow): KeptTraitList => ({
  list: ({ host, pgpuAddress }) =>
    database.query(LIST, [change.cloudId, host, pgpuAddress], uncheckedRow<KeptPlace>()),
  set: ({ host, pgpuAddress }, places) =>
    database.transaction(async ({ query }) => {
      const held = await query(LIST, [change.cloudId, host, pgpuAddress], uncheckedRow<KeptPlace>())
      const gone = missingPlaces(held, places)
      const added = missingPlaces(places, held)
      if (gone.length > 0) await query(DROP, [change.cloudId, host, JSON.stringify(gone)])
      if (added.length === 0) return
      const by = change.runBy ?? change.madeBy
      await query(ADD, [change.cloudId, host, pgpuAddress, JSON.stringify(added), change.id, by, now()])
    }),
})
