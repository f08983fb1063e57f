import 'server-only'
import * as z from 'zod'
import type { RememberedTraits } from '@/lib/domain/cloud/fleet-types'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'

// SQL: a bulk upsert, and all rows of a large cloud in each round.
const LOAD = `
SELECT host, address, provider_uuid AS "providerUuid", traits, at FROM provider_traits WHERE cloud_id = $1`
const traitsRow = z.object({
  host: z.string(),
  address: z.string(),
  providerUuid: z.string(),
  traits: z.array(z.string()),
  at: z.date(),
})

const STORE = `
INSERT INTO provider_traits (cloud_id, host, address, provider_uuid, traits, at)
SELECT $1, n.host, n.address, n.uuid, n.traits::text[], $6
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS n (host, address, uuid, traits)
ON CONFLICT (cloud_id, host, address) DO UPDATE
SET provider_uuid = excluded.provider_uuid, traits = excluded.traits, at = excluded.at`

/** Traits that the providers of a cloud's GPUs were last seen with. */
export const loadTraitMemory = async (query: Query, cloudId: number): Promise<RememberedTraits[]> =>
  (await query(LOAD, [cloudId], traitsRow)).map((row) => ({ ...row, at: row.at.toISOString() }))

const wordsOf = ({ host, address, providerUuid, traits }: RememberedTraits): string =>
  [host, address, providerUuid, ...traits].join(' ')

/** Writes what changed of it. Returns whether something did. */
export const storeTraitMemory = async (
  query: Query,
  {
    cloudId,
    before,
    now,
  }: { cloudId: number; before: readonly RememberedTraits[]; now: readonly RememberedTraits[] },
): Promise<boolean> => {
  const known = new Set(before.map(wordsOf))
  const entries = now.filter((entry) => !known.has(wordsOf(entry)))
  if (entries.length === 0) return false
  await query(STORE, [
    cloudId,
    pgArray(entries.map(({ host }) => host)),
    pgArray(entries.map(({ address }) => address)),
    pgArray(entries.map(({ providerUuid }) => providerUuid)),
    pgArray(entries.map(({ traits }) => pgArray(traits))),
    entries[0]?.at,
  ])
  return true
}
