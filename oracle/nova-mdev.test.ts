import { afterAll, describe, test } from 'vitest'
import { openOracle } from './harness/open-oracle'
import { expectAsNova } from './nova/expect-as-nova'
import { generateMdevHost } from './nova/mdev-hosts'
import { ourMdevs } from './nova/mdev-types'
import { askRelease } from './nova/nova-packages'

const oracle = openOracle('nova_mdev')
const release = await askRelease(oracle)
afterAll(() => oracle.close())

describe.skipIf(!release.isDescribed)('mdevs', () => {
  test('mdev parents have the types, classes and totals that Nova gives them', async () => {
    await expectAsNova('mdevs', { oracle, release, fn: 'mdevs', generate: generateMdevHost, ours: ourMdevs })
  })
})
