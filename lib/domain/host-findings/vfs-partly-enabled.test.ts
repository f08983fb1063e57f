import { expect, test } from 'vitest'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import { offersOf } from '@/lib/domain/testing/offers'

const CODE = 'vfs-partly-enabled'

/** echo 2 > sriov_numvfs instead of sriov-manage (cozystack/cozystack#2608). */
const host = (totalVfs: number, type = 'nvidia-558') =>
  buildInventory({
    cards: [
      {
        address: '0000:c1:00.0',
        deviceId: '2235',
        sriov: { totalVfs, enabledVfs: 2 },
        functions: ['0000:c1:00.4', '0000:c1:00.5'].map((address) => ({ address, offers: offersOf('A40') })),
      },
    ],
    mdevs: [
      {
        uuid: '00000000-0000-4000-8000-000000000001',
        parent: '0000:c1:00.4',
        typeId: type,
        isActive: true,
        definition: null,
      },
    ],
  })

test('fewer VFs than vGPUs of the type', () => {
  expect(sentencesOf(host(32), CODE)).toEqual([
    expect.stringMatching(
      /^warning: only 2 of 32 virtual functions are enabled, so it holds 2 instead of \d+ A40-/,
    ),
  ])
})

test('nothing where all are enabled', () => {
  expect(sentencesOf(host(2), CODE)).toEqual([])
})
