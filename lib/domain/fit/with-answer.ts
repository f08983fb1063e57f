import type { CloudFacts, ResourceProvider } from '@/lib/domain/cloud/types'

/** What an answer of Placement reports about one provider; capacity = (total - reserved) x ratio. */
export type ProviderWord = {
  traits: readonly string[]
  resources: Readonly<Record<string, { capacity: number; used: number }>>
}

const UNASKED = {
  total: null,
  reserved: null,
  allocationRatio: null,
  minUnit: null,
  maxUnit: null,
  stepSize: null,
}

const renewed = (provider: ResourceProvider, word: ProviderWord): ResourceProvider => ({
  ...provider,
  traits: word.traits,
  inventories: Object.fromEntries(
    Object.entries(word.resources).map(([name, { capacity, used }]) => [
      name,
      { ...UNASKED, ...provider.inventories?.[name], capacity, used },
    ]),
  ),
})

const isSame = ({ traits, inventories }: ResourceProvider, word: ProviderWord): boolean => {
  const resources = Object.entries(word.resources)
  const known = new Set(traits)
  return (
    traits !== null &&
    known.size === word.traits.length &&
    word.traits.every((trait) => known.has(trait)) &&
    resources.length === Object.keys(inventories ?? {}).length &&
    resources.every(
      ([name, { capacity, used }]) =>
        inventories?.[name]?.capacity === capacity && inventories[name].used === used,
    )
  )
}

/**
 * The facts, with Placement's newest values of some providers in place of those of the last reading. Providers that the
 * reading does not know stay unknown, because the answer has no names. Returns the same facts if the answer has nothing
 * new.
 */
export const withAnswer = (facts: CloudFacts, words: ReadonlyMap<string, ProviderWord>): CloudFacts => {
  const { providers } = facts
  if (providers.value === null || words.size === 0) return facts
  const value = providers.value.map((provider) => {
    const word = words.get(provider.uuid)
    return word === undefined || isSame(provider, word) ? provider : renewed(provider, word)
  })
  if (value.every((provider, index) => provider === providers.value?.[index])) return facts
  return { ...facts, providers: { ...providers, value } }
}
