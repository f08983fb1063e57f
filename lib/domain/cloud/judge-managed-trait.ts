import type { Fleet, ManagedTrait } from './fleet-types'
import { cloudGap } from './freshness'
import { deviceTypes } from './read-taggable'
import type { ResourceProvider } from './types'

/**
 * The state of a managed trait.
 * - `on`: the provider has it. `lost`: Nova recreated the provider without it, and the device still has its type.
 * - `taken-off`: the same provider no longer has it, so it was removed manually.
 * - `away`: Placement has no provider there now. `other-type`: nova.conf gives the device another type.
 */
export type ManagedTraitVerdict =
  | { state: 'on' | 'lost' | 'taken-off'; provider: ResourceProvider }
  | { state: 'away' | 'other-type' }
  /** A necessary fact is missing or old. */
  | { state: 'unknown' }

/** The state of one managed trait in one snapshot. Only `lost` may be restored; manual removals are respected. */
export const judgeManagedTrait = (fleet: Fleet, managed: ManagedTrait): ManagedTraitVerdict => {
  const joined = fleet.hosts.find(({ host }) => host.name === managed.host)
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === managed.pgpuAddress)
  if (joined === undefined || entry === undefined || cloudGap(fleet.input, 'providers') !== null)
    return { state: 'unknown' }
  const provider = entry.providers.find(
    ({ kind, address }) => kind === 'mdev' && address === managed.address,
  )?.provider
  if (provider === undefined) return { state: 'away' }
  if (provider.traits === null) return { state: 'unknown' }
  if (provider.traits.includes(managed.trait)) return { state: 'on', provider }
  const { types } = deviceTypes(joined, entry)
  if (types === null) return { state: 'unknown' }
  if (types.get(managed.address)?.typeId !== managed.typeId) return { state: 'other-type' }
  return { state: managed.providerUuid === provider.uuid ? 'taken-off' : 'lost', provider }
}
