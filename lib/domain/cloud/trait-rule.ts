import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { TRAIT_RULE_PATTERN } from '@/lib/schemas/api/change-limits'
import type { Fleet } from './fleet-types'
import { DEFAULT_TRAIT_RULE, traitNamePart, VENDOR_NAMES } from './type-traits'

/** The naming rule of a cloud; `isFromCloud` is false where no trait names a vGPU type yet. */
export type CloudTraitRule = { rule: string; isFromCloud: boolean }

type Named = Pick<TypeFacts, 'typeId' | 'name' | 'shortName'>
type Card = { types: readonly Named[]; vendorId: string | null }

/** The trait with `part` replaced where it forms whole words of it; null: it does not occur. */
const withPlaceholder = (trait: string, part: string, placeholder: string): string | null => {
  const at = `_${trait}_`.lastIndexOf(`_${part}_`)
  return at <= 0 ? null : `${trait.slice(0, at)}${placeholder}${trait.slice(at + part.length)}`
}

/** The rule that gives one of the types a trait; null: the trait names none of them. The longest name counts. */
const ruleReader = ({ types, vendorId }: Card): ((trait: string) => string | null) => {
  const parts = types
    .flatMap(({ shortName, typeId }) => [
      { part: traitNamePart(shortName), placeholder: '{type}' },
      { part: traitNamePart(typeId), placeholder: '{id}' },
    ])
    .toSorted((a, b) => b.part.length - a.part.length)
  const known = new Map<string, string | null>()
  const read = (trait: string): string | null => {
    for (const { part, placeholder } of parts) {
      const rule = withPlaceholder(trait, part, placeholder)
      if (rule === null) continue
      const vendor = VENDOR_NAMES[vendorId ?? '']
      const general = vendor === undefined ? null : withPlaceholder(rule, vendor, '{vendor}')
      const found = general ?? rule
      return TRAIT_RULE_PATTERN.test(found) ? found : null
    }
    return null
  }
  return (trait) => {
    const rule = known.get(trait)
    if (rule !== undefined) return rule
    const found = read(trait)
    known.set(trait, found)
    return found
  }
}

/** Equal for cards whose traits are read by the same names. */
const cardKey = ({ types, vendorId }: Card): string =>
  JSON.stringify([vendorId, types.map(({ typeId, shortName }) => [typeId, shortName])])

const TRAIT_SPEC = /^trait\d*:(CUSTOM_\w+)$/

/**
 * The naming rule that the cloud already uses: the one of most traits on GPU providers and in flavors; of equal counts the
 * first by name. Without any, `DEFAULT_TRAIT_RULE`. A step per host.
 */
export function* cloudTraitRule(fleet: Fleet): Generator<void, CloudTraitRule> {
  const counts = new Map<string, number>()
  const count = (rule: string | null): void => {
    if (rule !== null) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  }
  const cards = fleet.hosts.flatMap(({ pgpus }) => pgpus)
  const cardOf = ({ pgpu }: (typeof cards)[number]): Card => ({
    types: pgpu.supportedTypes ?? [],
    vendorId: pgpu.vendorId,
  })
  const readers = new Map<string, ReturnType<typeof ruleReader>>()
  for (const { pgpus } of fleet.hosts) {
    for (const entry of pgpus) {
      const key = cardKey(cardOf(entry))
      const reader = readers.get(key) ?? ruleReader(cardOf(entry))
      readers.set(key, reader)
      for (const { provider } of entry.providers)
        for (const trait of provider.traits ?? []) count(reader(trait))
    }
    yield
  }
  const types = new Map(cards.flatMap((entry) => cardOf(entry).types.map((type) => [type.typeId, type])))
  const vendors = new Set(cards.map(({ pgpu }) => pgpu.vendorId))
  const ofAnyCard = ruleReader({
    types: [...types.values()],
    vendorId: vendors.size === 1 ? ([...vendors][0] ?? null) : null,
  })
  for (const { extraSpecs } of fleet.input.facts.flavors.value ?? [])
    for (const [key, value] of Object.entries(extraSpecs ?? {})) {
      const trait = TRAIT_SPEC.exec(key)?.[1]
      if (trait !== undefined && value === 'required') count(ofAnyCard(trait))
    }
  const [first] = [...counts].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
  return first === undefined
    ? { rule: DEFAULT_TRAIT_RULE, isFromCloud: false }
    : { rule: first[0], isFromCloud: true }
}
