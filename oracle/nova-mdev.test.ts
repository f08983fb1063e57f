import { afterAll, describe, test } from 'vitest'
import { openOracle } from './harness/open-oracle'
import { expectAsNova } from './nova/expect-as-nova'
import { generateMdevHost } from './nova/mdev-hosts'
import { ourMdevInventories, ourMdevTypes, theirMdevInventories } from './nova/mdev-types'
import { askRelease } from './nova/nova-packages'

const oracle = openOracle('nova_mdev')
const release = await askRelease(oracle)
afterAll(() => oracle.close())

describe.skipIf(!release.isDescribed)('mdevs', () => {
  test('mdev types and classes are assigned as Nova does', async () => {
    await expectAsNova('mdev types', {
      oracle,
      release,
      fn: 'mdev_types',
      generate: generateMdevHost,
      ours: ourMdevTypes,
    })
  })

  test('mdev parents have the totals in Placement that Nova gives them', async () => {
    await expectAsNova('mdev inventories', {
      oracle,
      release,
      fn: 'mdev_inventories',
      generate: generateMdevHost,
      ours: ourMdevInventories,
      theirs: theirMdevInventories,
    })
  })
})
