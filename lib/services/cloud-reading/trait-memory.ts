import 'server-only'
import type { Fleet, RememberedTraits } from '@/lib/domain/cloud/fleet-types'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/services/report/pg-array'

const LOAD = `
SELECT host, address, provider_uuid AS "providerUuid", traits, at FROM provider_traits WHERE cloud_id = $1`

const STORE = `
INSERT INTO provider_traits (cloud_id, host, address, provider_uuid, traits, at)
SELECT $1, n.host, n.address, n.uuid, n.traits::text[], $6
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS n (host, address, uuid, traits)
ON CONFLICT (cloud_id, host, address) DO UPDATE
SET provider_uuid = excluded.provider_uuid, traits = excluded.traits, at = excluded.at`

type Row = Omit<RememberedTraits, 'at'> & { at: Date }

/** Traits that the providers of a cloud's GPUs were last seen with. */
export const loadTraitMemory = async (query: Query, cloudId: number): Promise<RememberedTraits[]> =>
  (await query<Row>(LOAD, [cloudId])).map((row) => ({ ...row, at: row.at.toISOString() }))

const keyOf = ({ host, address }: { host: string; address: string }): string => `${host} ${address}`

const isSame = (a: RememberedTraits, b: RememberedTraits): boolean =>
  a.providerUuid === b.providerUuid && a.traits.join() === b.traits.join()

/**
 * What is worth remembering now. A provider that came back with another uuid and fewer traits is not: what it has lost is
 * what must be remembered, until its traits are there again or somebody takes them off a provider that still lives.
 */
export const rememberTraits = (fleet: Fleet): RememberedTraits[] => {
  const { facts, traitMemory } = fleet.input
  const at = facts.providers.at
  if (at === null || facts.providers.error !== null) return []
  const known = new Map(traitMemory.map((entry) => [keyOf(entry), entry]))
  return fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus.flatMap(({ providers }) =>
      providers.flatMap(({ provider, address }) => {
        if (provider.traits === null) return []
        const traits = provider.traits.filter((trait) => trait.startsWith('CUSTOM_')).toSorted()
        const before = known.get(keyOf({ host: host.name, address }))
        const now = { host: host.name, address, providerUuid: provider.uuid, traits, at }
        if (before === undefined) return traits.length > 0 ? [now] : []
        const isReplaced = before.providerUuid !== provider.uuid
        const hasLost = before.traits.some((trait) => !traits.includes(trait))
        return isSame(before, now) || (isReplaced && hasLost) ? [] : [now]
      }),
    ),
  )
}

export const storeTraitMemory = async (
  query: Query,
  { cloudId, entries }: { cloudId: number; entries: readonly RememberedTraits[] },
): Promise<void> => {
  if (entries.length === 0) return
  await query(STORE, [
    cloudId,
    pgArray(entries.map(({ host }) => host)),
    pgArray(entries.map(({ address }) => address)),
    pgArray(entries.map(({ providerUuid }) => providerUuid)),
    pgArray(entries.map(({ traits }) => pgArray(traits))),
    entries[0]?.at,
  ])
}
