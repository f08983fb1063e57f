import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { providerConfigContent, providerConfigSchema, readProviderConfig } from './provider-config'

const provider = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}_pci_[0-9a-f]{4}_[0-9a-f]{2}_[0-9a-f]{2}_[0-7]$/)
const trait = fc.stringMatching(/^CUSTOM_[A-Z0-9_]{1,20}$/)
const entries = fc.uniqueArray(
  fc.record({ provider, traits: fc.uniqueArray(trait, { minLength: 1, maxLength: 4 }) }),
  { minLength: 1, maxLength: 5, selector: (entry) => entry.provider },
)

it('is read back as it was written, by the console and as YAML 1.1', () => {
  fc.assert(
    fc.property(entries, (written) => {
      const text = providerConfigContent(written)
      const read = readProviderConfig(text)
      expect(read).not.toBeNull()
      expect(providerConfigContent(read ?? [])).toBe(text)
      expect(parse(text, { version: '1.1' })).toEqual({
        meta: { schema_version: '1.0' },
        providers: read?.map((entry) => ({
          identification: { name: entry.provider },
          traits: { additional: entry.traits },
        })),
      })
    }),
  )
})

it('is no longer the console’s own once a line is another', () => {
  const text = providerConfigContent([{ provider: 'cmp1_pci_0000_41_00_4', traits: ['CUSTOM_A'] }])
  expect(readProviderConfig(`${text}\n`)).toBeNull()
  expect(readProviderConfig(text.replace('CUSTOM_A', 'CUSTOM_A # mine'))).toBeNull()
  expect(readProviderConfig(text.replace(/^#.*\n/, ''))).toBeNull()
  expect(readProviderConfig('')).toBeNull()
})

it.each([
  ['a provider twice', [1, 1].map(() => ({ provider: 'a_pci_0000_41_00_4', traits: ['CUSTOM_A'] })), 'once'],
  ['a standard trait', [{ provider: 'a_pci_0000_41_00_4', traits: ['HW_GPU_API_VULKAN'] }], 'a custom trait'],
  ['a compute node', [{ provider: 'cmp1', traits: ['CUSTOM_A'] }], 'provider of an mdev parent'],
  [
    'PCI in Placement',
    [{ provider: 'cmp1_0000:41:00.0', traits: ['CUSTOM_A'] }],
    'provider of an mdev parent',
  ],
])('refuses %s', (_, given, message) => {
  expect(providerConfigSchema.safeParse(given).error?.issues[0]?.message).toContain(message)
})
