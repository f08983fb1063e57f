import type { Fleet, KeptTrait } from './fleet-types'
import { cloudGap } from './freshness'
import { deviceTypes } from './read-taggable'
import type { ResourceProvider } from './types'

/**
 * What became of a trait that is to be kept.
 * - `on`: the provider carries it. `lost`: Nova re-created the provider without it, and the device has its type still.
 * - `taken-off`: the very provider that carried it no longer does, so somebody took it off.
 * - `away`: Placement has no provider there now. `other-type`: nova.conf gives the device another type.
 * - `untold`: what one has to know is missing or old.
 */
export type KeptVerdict =
  | { state: 'on' | 'lost' | 'taken-off'; provider: ResourceProvider }
  | { state: 'away' | 'other-type' | 'untold' }

/** Judges one kept trait by one snapshot. Only `lost` may be put back; whoever took a trait off is not fought. */
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
