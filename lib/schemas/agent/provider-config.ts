import * as z from 'zod/mini'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { yaml, yamlQuoted } from '@/lib/util/encode/yaml-string'
import { GRAMMARS } from './grammar'

/** The file of nova-compute's provider config that the console may have written; it touches no other. */
export const PROVIDER_CONFIG_FILE = 'sliceboard-traits.yaml'

/** By it the file is known again, and by being exactly what `providerConfigContent` writes. */
const MARK = yaml`# Written by Sliceboard. nova-compute reads it at its start and keeps these traits on its providers.`

/** The provider of an mdev parent: neither the compute node nor one of PCI in Placement, whose traits Nova writes itself. */
const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,180}_pci_[0-9a-f]{4}_[0-9a-f]{2}_[0-9a-f]{2}_[0-7]$/
/** nova/compute/provider_config.py takes custom traits alone. */
export const CUSTOM_TRAIT = GRAMMARS.customTrait.pattern

const providerTraitsSchema = z.strictObject({
  provider: z.string().check(z.regex(PROVIDER, 'must be the name of the provider of an mdev parent')),
  traits: z
    .array(z.string().check(z.regex(CUSTOM_TRAIT, 'must be a custom trait')))
    .check(z.minLength(1), z.maxLength(64)),
})

/** Providers by name, each once: nova-compute does not start with a duplicate. */
export const providerConfigSchema = z.array(providerTraitsSchema).check(
  z.minLength(1),
  z.maxLength(512),
  z.refine((entries) => new Set(entries.map(({ provider }) => provider)).size === entries.length, {
    error: 'must name each provider once',
  }),
)

/** Traits that nova-compute is to put on a provider of its tree again and again, by the provider's name. */
export type ProviderTraits = { provider: string; traits: readonly string[] }

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The file in Nova's schema 1.0, its entries and traits in order, each in quotes. */
export const providerConfigContent = (entries: readonly ProviderTraits[]): Encoded<'yaml'> => {
  const blocks = [...entries]
    .sort((a, b) => byText(a.provider, b.provider))
    .flatMap(({ provider, traits }) => [
      yaml`  - identification:`,
      yaml`      name: ${yamlQuoted(provider)}`,
      yaml`    traits:`,
      yaml`      additional:`,
      ...[...new Set(traits)].sort(byText).map((trait) => yaml`        - ${yamlQuoted(trait)}`),
    ])
  const head = yaml`${MARK}\nmeta:\n  schema_version: '1.0'\nproviders:`
  return yaml`${joinEncoded([head, ...blocks], '\n')}\n`
}

/** The entries of the console's own file; null if it is another file, or was edited manually. */
export const readProviderConfig = (text: string): ProviderTraits[] | null => {
  const entries: { provider: string; traits: string[] }[] = []
  for (const line of text.split('\n')) {
    const provider = /^ {6}name: '([^']*)'$/.exec(line)?.[1]
    if (provider !== undefined) entries.push({ provider, traits: [] })
    const trait = /^ {8}- '([^']*)'$/.exec(line)?.[1]
    if (trait !== undefined) entries.at(-1)?.traits.push(trait)
  }
  return providerConfigSchema.safeParse(entries).success && providerConfigContent(entries) === text
    ? entries
    : null
}
