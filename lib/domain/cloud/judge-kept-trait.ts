import type { Fleet, KeptTrait } from './fleet-types'
import { cloudGap } from './freshness'
import { deviceTypes } from './read-taggable'
import type { ResourceProvider } from './types'

/**
 * The state of a managed trait.
 * - `on`: the provider has it. `lost`: Nova recreated the provider without it, and the device still has its type.
 * - `taken-off`: the same provider no longer has it, so it was removed manually.
 * - `away`: Placement has no provider there now. `other-type`: nova.conf gives the device another type.
 */
export type KeptVerdict =
  | { state: 'on' | 'lost' | 'taken-off'; provider: ResourceProvider }
  | { state: 'away' | 'other-type' }
  /** A necessary fact is missing or old. */
  | { state: 'untold' }

/** The state of one managed trait in one snapshot. Only `lost` may be restored; manual removals are respected. */
export const judgeKeptTrait = (fleet: Fleet, kept: KeptTrait): KeptVerdict => {
  const joined = fleet.hosts.find(({ host }) => host.name === kept.host)
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === kept.pgpuAddress)
  if (joined === undefined || entry === undefined || cloudGap(fleet.input, 'providers') !== null)
    return { state: 'untold' }
  const provider = entry.providers.find(
    ({ kind, address }) => kind === 'mdev' && address === kept.address,
  )?.provider
  if (provider === undefined) return { state: 'away' }
  if (provider.traits === null) return { state: 'untold' }
  if (provider.traits.includes(kept.trait)) return { state: 'on', provider }
  const { types } = deviceTypes(joined, entry)
  if (types === null) return { state: 'untold' }
  if (types.get(kept.address)?.typeId !== kept.typeId) return { state: 'other-type' }
  return { state: kept.providerUuid === provider.uuid ? 'taken-off' : 'lost', provider }
}
