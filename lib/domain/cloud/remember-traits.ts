import type { Fleet, RememberedTraits } from './fleet-types'

/**
 * What to keep of this round for the next: the custom traits of every GPU provider by host and address. A provider that has
 * none now keeps what its address had, as long as its loss stands (another uuid); one that is away keeps it too, and so does one
 * of PCI in Placement, whose traits Nova writes.
 */
export const rememberTraits = (fleet: Fleet): RememberedTraits[] => {
  const { traitMemory, facts } = fleet.input
  const at = facts.providers.at
  if (at === null) return [...traitMemory]
  const memory = new Map(traitMemory.map((entry) => [`${entry.host} ${entry.address}`, entry]))
  for (const joined of fleet.hosts)
    for (const { kind, provider, address } of joined.pgpus.flatMap(({ providers }) => providers)) {
      const key = `${joined.host.name} ${address}`
      const held = memory.get(key)
      const traits = (provider.traits ?? []).filter((trait) => trait.startsWith('CUSTOM_'))
      const isLoss =
        held !== undefined &&
        held.providerUuid !== provider.uuid &&
        held.traits.some((trait) => !traits.includes(trait))
      if (kind === 'pci' || provider.traits === null || isLoss) continue
      memory.set(key, { host: joined.host.name, address, providerUuid: provider.uuid, traits, at })
    }
  return [...memory.values()]
}
