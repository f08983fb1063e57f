import { afterAll, describe, test } from 'vitest'
import { openOracle } from './harness/open-oracle'
import { expectAsNova } from './nova/expect-as-nova'
import {
  generateFlavor,
  hasGpuLimit,
  ourFlavorRequest,
  ourLimitDeltas,
  theirFlavorRequest,
} from './nova/flavors'
import { generateUsage, hasPcpuInVcpu, ourUsage } from './nova/limit-usage'
import { askRelease } from './nova/nova-packages'

const oracle = openOracle('nova_flavors')
const release = await askRelease(oracle)
afterAll(() => oracle.close())

describe.skipIf(!release.isDescribed)('flavors', () => {
  test('a flavor requests the groups and devices that Nova requests', async () => {
    await expectAsNova('flavors', {
      oracle,
      release,
      fn: 'flavor_request',
      generate: generateFlavor,
      ours: ourFlavorRequest,
      theirs: theirFlavorRequest,
    })
  })

  test('a server adds to the limits that Nova checks', async () => {
    await expectAsNova('limits', {
      oracle,
      release,
      fn: 'limit_deltas',
      generate: generateFlavor,
      ours: ourLimitDeltas,
      isAccepted: hasGpuLimit,
    })
  })

  test('the use of a project is compared with its limits as Nova compares it', async () => {
    await expectAsNova('limit usage', {
      oracle,
      release,
      fn: 'limit_usage',
      generate: generateUsage,
      ours: ourUsage,
      isAccepted: hasPcpuInVcpu,
    })
  })
})
