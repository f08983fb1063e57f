import type { Database } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { hashSecret } from '@/lib/server/secrets/agent-secrets'
import { anyRow } from '@/lib/server/testing/any-row'
import { hostNameOf, secretOf } from './credentials'

const ENROL = `
WITH new_host AS (
  INSERT INTO host (cloud_id, name, enrolment) SELECT $1, name, 1 FROM unnest($2::text[]) WITH ORDINALITY AS n (name, place)
  ORDER BY place RETURNING id, cloud_id, name
)
INSERT INTO agent_credential (id, cloud_id, host_id, enrolment, secret_hash)
SELECT n.place, h.cloud_id, h.id, 1, n.hash
FROM new_host h JOIN unnest($2::text[], $3::text[]) WITH ORDINALITY AS n (name, hash, place) ON n.name = h.name`

/** A cloud with so many enrolled hosts, whose credentials the load process knows. */
export const enrollHosts = (
  database: Database,
  count: number,
  cloudOf: { name: string; region: string | null } = { name: 'reporting', region: null },
): Promise<void> =>
  database.transaction(async ({ query }) => {
    const indexes = Array.from({ length: count }, (_, index) => index)
    const [cloud] = await query(
      'INSERT INTO cloud (name, region) VALUES ($1, $2) RETURNING id',
      [cloudOf.name, cloudOf.region],
      anyRow<{ id: number }>(),
    )
    const hashes = indexes.map((index) => hashSecret(secretOf(index)))
    await query(ENROL, [cloud?.id, pgArray(indexes.map(hostNameOf)), pgArray(hashes)])
  })
