import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkProviderTraits, deviceSpecTraits, providerConfigText } from './provider-config'

const PROVIDER = 'cmp1_pci_0000_41_00_4'

describe('provider config', () => {
  it('names providers and their custom traits in schema 1.0, and leaves untagged ones out', () => {
    const text = providerConfigText('cmp1', [
      { provider: PROVIDER, traits: ['CUSTOM_FAST', 'CUSTOM_A40_4Q'] },
      { provider: 'cmp1_pci_0000_41_00_5', traits: [] },
    ])
    expect(parse(text?.text ?? '')).toEqual({
      meta: { schema_version: '1.0' },
      providers: [
        { identification: { name: PROVIDER }, traits: { additional: ['CUSTOM_A40_4Q', 'CUSTOM_FAST'] } },
      ],
    })
    expect(providerConfigText('cmp1', [{ provider: PROVIDER, traits: [] }])).toBeNull()
  })

  it('keeps the version a text, as Nova’s schema requires', () => {
    const text = providerConfigText('cmp1', [{ provider: PROVIDER, traits: ['CUSTOM_X'] }])
    expect(parse(text?.text ?? '', { version: '1.1' })).toMatchObject({ meta: { schema_version: '1.0' } })
  })

  it.each([
    [
      'a standard trait',
      [{ provider: PROVIDER, traits: ['HW_GPU_API_VULKAN'] }],
      30,
      'is not a custom trait',
    ],
    [
      'a provider twice',
      [
        { provider: PROVIDER, traits: ['CUSTOM_A'] },
        { provider: PROVIDER, traits: ['CUSTOM_B'] },
      ],
      30,
      'is listed twice',
    ],
    [
      'a provider of PCI in Placement',
      [{ provider: 'cmp1_0000:41:00.0', traits: ['CUSTOM_A'] }],
      32,
      'device_spec',
    ],
    [
      'a release that reads none',
      [{ provider: PROVIDER, traits: ['CUSTOM_A'] }],
      20,
      'does not read provider config',
    ],
  ])('is refused for %s', (_, entries, release, message) => {
    expect(checkProviderTraits(entries, release)).toEqual([expect.stringContaining(message)])
  })

  it('has its like in a device_spec', () => {
    expect(deviceSpecTraits(['CUSTOM_B', 'CUSTOM_A', 'CUSTOM_B'])).toBe('CUSTOM_A,CUSTOM_B')
  })
})
