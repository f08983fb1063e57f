import { afterAll, describe, test } from 'vitest'
import { openOracle } from './harness/open-oracle'
import { generateAliases, ourAliases, theirAliases } from './nova/aliases'
import { DEVICE_SPECS_EXPLAINED, generateDeviceSpec, ourDeviceSpec } from './nova/device-specs'
import { expectAsNova } from './nova/expect-as-nova'
import { askRelease } from './nova/nova-packages'

const oracle = openOracle('nova_pci')
const release = await askRelease(oracle)
afterAll(() => oracle.close())

describe.skipIf(!release.isDescribed)('PCI devices', () => {
  test('PCI aliases are accepted and read as Nova does', async () => {
    await expectAsNova('PCI aliases', {
      oracle,
      release,
      fn: 'aliases',
      generate: generateAliases,
      ours: ourAliases,
      theirs: theirAliases,
    })
  })

  test('device_spec takes the devices that Nova takes, with class and traits', async () => {
    await expectAsNova('device_spec', {
      oracle,
      release,
      fn: 'device_spec',
      generate: generateDeviceSpec,
      ours: ourDeviceSpec,
      explained: DEVICE_SPECS_EXPLAINED,
    })
  })
})
