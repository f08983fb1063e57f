import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { KeptTrait } from '@/lib/domain/cloud/fleet-types'
import type { Query } from '@/lib/server/database/database'

const LOAD = `
SELECT host, pgpu_address AS "pgpuAddress", address, provider_name AS "providerName", trait, type_id AS "typeId",
  type_name AS "typeName", provider_uuid AS "providerUuid", problem
FROM kept_trait WHERE cloud_id = $1 ORDER BY host, address, trait`

/** The traits of a cloud that admins asked the console to keep. */
export const loadKeptTraits = (query: Query, cloudId: number): Promise<KeptTrait[]> =>
  query(LOAD, [cloudId], uncheckedRow<KeptTrait>())
