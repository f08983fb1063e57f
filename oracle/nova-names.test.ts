import { afterAll, describe, test } from 'vitest'
import { openOracle } from './harness/open-oracle'
import { expectAsNova } from './nova/expect-as-nova'
import { askRelease } from './nova/nova-packages'
import { generatePciNames, ourPciNames, theirPciNames } from './nova/pci-names'

const oracle = openOracle('nova_names')
const release = await askRelease(oracle)
afterAll(() => oracle.close())

describe.skipIf(!release.isDescribed)('names', () => {
  test('classes and traits of PCI devices have the names that Nova gives them', async () => {
    await expectAsNova('PCI names', {
      oracle,
      release,
      fn: 'pci_names',
      generate: generatePciNames,
      ours: ourPciNames,
      theirs: theirPciNames,
      isAccepted: ([isIncluded]) => isIncluded,
    })
  })
})
