import { oncePer } from '@/lib/util/once-per'
import type { Fleet, JoinedHost } from './fleet-types'
import { groupBy } from './match-host'
import type { ResourceProvider } from './types'

/** os-traits. Nova sets the first since 34 (nova/virt/libvirt/driver.py, pci_placement_translator.py), Cyborg the second. */
const OWNER_NOVA = 'OWNER_NOVA'
export const OWNER_CYBORG = 'OWNER_CYBORG'

const cyborgByRoot = oncePer((fleet: Fleet) =>
  groupBy(
    [...fleet.providers.values()].filter(({ traits }) => traits?.includes(OWNER_CYBORG)),
    ({ rootUuid }) => rootUuid,
  ),
)

/** Providers that Cyborg created below the compute node of a host. */
export const cyborgProviders = (fleet: Fleet, { root }: JoinedHost): readonly ResourceProvider[] =>
  cyborgByRoot(fleet).get(root.value?.uuid ?? '') ?? []

/** Whether a pGPU may be Cyborg's: the host has providers of Cyborg, and the pGPU has none of another owner. */
export const mayBeCyborgs = (fleet: Fleet, joined: JoinedHost, address: string): boolean =>
  cyborgProviders(fleet, joined).length > 0 &&
  joined.pgpus
    .filter(({ pgpu }) => pgpu.address === address)
    .every(({ providers }) =>
      providers.every(({ provider }) => provider.traits?.includes(OWNER_CYBORG) !== false),
    )

/** Why a pGPU or VF may not be Nova's, by the owner traits of its provider and its compute node; null: it is Nova's. */
export const whyNotNovas = (fleet: Fleet, joined: JoinedHost, address: string): string | null => {
  const entry = joined.pgpus.find(({ functions }) => functions.includes(address))
  if (entry === undefined) return null
  if (mayBeCyborgs(fleet, joined, entry.pgpu.address))
    return `Cyborg manages devices of this host, and no provider of ${entry.pgpu.address} has another owner: remove the mdev in Cyborg`
  const own = entry.providers.find((one) => one.address === address)?.provider
  if (own?.traits?.includes(OWNER_CYBORG) === true)
    return `${own.name} has the trait ${OWNER_CYBORG}: remove the mdev in Cyborg`
  // A nova-compute that sets the trait sets it on all of its providers.
  const isMarked = joined.root.value?.traits?.includes(OWNER_NOVA) === true
  return isMarked && own !== undefined && own.traits !== null && !own.traits.includes(OWNER_NOVA)
    ? `${own.name} lacks the trait ${OWNER_NOVA} that its compute node has, so another service may own it`
    : null
}
