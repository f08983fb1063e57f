import { describe, expect, test } from 'vitest'
import { scanFixture } from '@/agent/testing/scan-fixture'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import { findingsOf, sentencesOf } from '@/lib/domain/testing/describe'
import { offersOf } from '@/lib/domain/testing/offers'
import { vgpu } from '@/simulator/fixtures/host-parts'
import { vendorVfioHost } from '@/simulator/fixtures/vendor-vfio-host'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import { vfAddress } from '@/simulator/host-tree/pci-address'

const CODE = 'vfs-partly-enabled'

/** echo 2 > sriov_numvfs instead of sriov-manage (cozystack/cozystack#2608). */
const host = (totalVfs: number, type: string | null = 'nvidia-558') =>
  buildInventory({
    cards: [
      {
        address: '0000:c1:00.0',
        deviceId: '2235',
        sriov: { totalVfs, enabledVfs: 2 },
        functions: ['0000:c1:00.4', '0000:c1:00.5'].map((address) => ({ address, offers: offersOf('A40') })),
      },
    ],
    mdevs:
      type === null
        ? []
        : [
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
      /^warning: only 2 of 32 virtual functions are enabled, so the card holds 2 instead of \d+ A40-/,
    ),
  ])
})

test('nothing where all are enabled', () => {
  expect(sentencesOf(host(2), CODE)).toEqual([])
})

test('without a type the one that fits most often', () => {
  expect(sentencesOf(host(32, null), CODE)).toEqual([
    'info: only 2 of 32 virtual functions are enabled, so the card holds at most 2 vGPUs instead of 32 A40-1Q',
  ])
})

describe('an L40S with vendor VFIO', () => {
  /** Two of 32 VFs, with the id of their type or 0. NVIDIA lists types on VFs that have none, and none on a full card. */
  const l40s = (types: [number, number], creatable: string[] = [], modelName = 'NVIDIA L40S') =>
    buildInventory({
      cards: [
        {
          address: '0000:c8:00.0',
          deviceId: '26b9',
          modelName,
          sriov: { totalVfs: 32, enabledVfs: 2 },
          functions: types.map((currentType, n) => ({
            address: `0000:c8:00.${n + 4}`,
            vendorVfio: { currentType, creatable: currentType === 0 ? creatable : [] },
          })),
        },
      ],
    })

  test('whose free VF offers the type', () => {
    expect(sentencesOf(l40s([1154, 0], ['1154  : NVIDIA L40S-16Q']), CODE)).toEqual([
      'warning: only 2 of 32 virtual functions are enabled, so the card holds 2 instead of 3 L40S-16Q',
    ])
  })

  test('whose VFs are all taken, by the published maximum with its source', () => {
    const [found, ...others] = findingsOf(l40s([1150, 1150])).filter(({ code }) => code === CODE)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      severity: 'warning',
      sentence: 'only 2 of 32 virtual functions are enabled, so the card holds 2 instead of 12 L40S-4Q',
      detail: expect.stringMatching(/ The maximum of L40S-4Q is published: github\.com\/NVIDIA\/.*\.$/),
    })
  })

  test('whose type fits no more often than VFs are enabled', () => {
    expect(sentencesOf(l40s([1155, 1155]), CODE)).toEqual([])
  })

  test('whose VFs have no type yet', () => {
    const creatable = ['1149  : NVIDIA L40S-3Q', '1150  : NVIDIA L40S-4Q', '1156  : NVIDIA L40S-48Q']
    expect(sentencesOf(l40s([0, 0], creatable), CODE)).toEqual([
      'info: only 2 of 32 virtual functions are enabled, so the card holds at most 2 vGPUs instead of 16 L40S-3Q',
    ])
  })

  test('whose VFs offer only types that fit no more often', () => {
    expect(sentencesOf(l40s([0, 0], ['1155  : NVIDIA L40S-24Q']), CODE)).toEqual([])
  })

  test('and a type of which no maximum is known', () => {
    const unknownFit = 'info: only 2 of 32 virtual functions are enabled, so the card holds at most 2 vGPUs'
    expect(sentencesOf(l40s([9999, 9999]), CODE)).toEqual([unknownFit])
    expect(sentencesOf(l40s([1150, 1150], [], 'NVIDIA L60'), CODE)).toEqual([unknownFit])
    expect(sentencesOf(l40s([0, 0]), CODE)).toEqual([unknownFit])
  })

  test('in the tree of a host, as the agent reads it', async () => {
    const address = '0000:41:00.0'
    const gpu = buildGpu({
      model: 'L40S',
      address,
      upstream: ['pci0000:40', '0000:40:01.1'],
      numaNode: 0,
      iommuGroup: 60,
      interface: 'vendor-vfio',
      enabledVfs: 2,
      vgpus: [0, 1].map((index) => vgpu(vfAddress(address, 4, index), 'nvidia-1152')),
    })
    const inventory = await scanFixture({ ...vendorVfioHost, gpus: [gpu], guests: [] })
    expect(sentencesOf(inventory, CODE)).toEqual([
      'warning: only 2 of 32 virtual functions are enabled, so the card holds 2 instead of 6 L40S-8Q',
    ])
  })
})
