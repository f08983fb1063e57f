import type { Fleet, RememberedTraits } from './fleet-types'

/**
 * What the next round needs of this one: the custom traits of every GPU provider by host and address. A provider without
 * traits keeps those that its address had, while their loss lasts (another uuid). So do an absent provider and one of PCI
 * in Placement, whose traits Nova writes.
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
