import type { PlacementState, Provider } from '@/simulator/openstack/placement/placement-state'

/**
 * Traits that were not removed from a provider, so that they must be there. A provider that Nova recreates begins
 * without any.
 */
export type TraitLedger = {
  note: (name: string, traits: readonly string[]) => void
  strike: (name: string, trait: string) => void
  /** Of a provider whose uuid is still the one that was seen last; null otherwise, and from then on it is the other one. */
  current: (name: string) => Provider | null
  /** What is missing, in words. */
  lost: () => string[]
}

export const createTraitLedger = (state: () => PlacementState): TraitLedger => {
  const pages = new Map<string, { uuid: string | null; traits: Set<string> }>()
  const find = (name: string): Provider | null => {
    const uuid = state().names.get(name)
    return uuid === undefined ? null : (state().providers.get(uuid) ?? null)
  }

  const current = (name: string): Provider | null => {
    const provider = find(name)
    const page = pages.get(name)
    if (provider !== null && page?.uuid === provider.uuid) return provider
    pages.set(name, { uuid: provider?.uuid ?? null, traits: new Set() })
    return null
  }

  return {
    current,
    note: (name, traits) => {
      current(name)
      for (const trait of traits) pages.get(name)?.traits.add(trait)
    },
    strike: (name, trait) => {
      pages.get(name)?.traits.delete(trait)
    },
    lost: () =>
      [...pages].flatMap(([name, { traits }]) => {
        const provider = current(name)
        const missing = provider === null ? [] : [...traits].filter((trait) => !provider.traits.has(trait))
        return missing.length === 0 ? [] : [`${name} has lost ${missing.join(', ')}`]
      }),
  }
}
