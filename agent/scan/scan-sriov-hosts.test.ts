import { describe, expect, test, vi } from 'vitest'
import { scanFixture } from '@/agent/testing/scan-fixture'
import type { GpuDevice, Inventory } from '@/lib/schemas/agent/inventory'
import { a40FullHost, a40Host } from '@/simulator/fixtures/a40-host'
import { a100SlidesHost } from '@/simulator/fixtures/a100-slides-host'
import { equalSizeHost } from '@/simulator/fixtures/equal-size-host'
import { migHost } from '@/simulator/fixtures/mig-host'
import { vendorVfioHost, vendorVfioPlainHost } from '@/simulator/fixtures/vendor-vfio-host'

// A tree has up to 7,000 files.
vi.setConfig({ testTimeout: 60_000 })

const cardAt = (inventory: Inventory, address: string): GpuDevice => {
  const card = inventory.gpus.find((gpu) => gpu.address === address)
  if (card === undefined) throw new Error(`no card at ${address}`)
  return card
}

/** `available_instances` of one type on every VF. */
const available = (inventory: Inventory, address: string, typeId: string): (number | null)[] => {
  const index = inventory.vgpuTypes.findIndex((type) => type.typeId === typeId)
  return cardAt(inventory, address).virtualFunctions.map(
    ({ mdevTypes }) => mdevTypes?.find(([at]) => at === index)?.[1] ?? null,
  )
}

/** Types that one VF would still make. */
const creatable = (inventory: Inventory, address: string): (string | null)[] => {
  const functions = inventory.gpus.flatMap(({ virtualFunctions }) => virtualFunctions)
  const types = functions.find((vf) => vf.address === address)?.mdevTypes ?? []
  return types.flatMap(([index, count]) => (count === 0 ? [] : [inventory.vgpuTypes[index]?.name ?? null]))
}

describe('the A100 of the slides', () => {
  test('16 VFs are the parents; 10 of nvidia-468 are created, so every VF reports 0', async () => {
    const inventory = await scanFixture(a100SlidesHost)
    const card = cardAt(inventory, '0000:41:00.0')
    expect(card).toMatchObject({ mdevTypes: null, sriov: { totalVfs: 16, enabledVfs: 16 } })
    expect(card.virtualFunctions.map(({ address }) => address)).toEqual([
      ...['0000:41:00.4', '0000:41:00.5', '0000:41:00.6', '0000:41:00.7'],
      ...Array.from({ length: 8 }, (_, index) => `0000:41:01.${index}`),
      ...['0000:41:02.0', '0000:41:02.1', '0000:41:02.2', '0000:41:02.3'],
    ])
    expect(available(inventory, '0000:41:00.0', 'nvidia-468')).toEqual(Array(16).fill(0))
    expect(inventory.mdevs?.map(({ typeId }) => typeId)).toEqual(Array(10).fill('nvidia-468'))
    expect(inventory.mdevs?.map(({ parent }) => parent).sort()).toEqual(
      card.virtualFunctions.slice(0, 10).map(({ address }) => address),
    )
    expect(inventory.mdevs?.every(({ definition }) => definition?.start === 'auto')).toBe(true)
    expect(inventory.novaConfig?.options.filter(({ section }) => section === 'mdev_nvidia-468')).toEqual([
      expect.objectContaining({ name: 'max_instances', value: '10' }),
    ])
    expect(inventory.guests?.map(({ state }) => state).sort()).toEqual([
      ...Array(8).fill('running'),
      'shutoff',
    ])
    expect(inventory.problems).toEqual([])
  })

  test('the wording of a type is stored once for all VFs', async () => {
    const inventory = await scanFixture(a100SlidesHost)
    const ids = inventory.vgpuTypes.map(({ typeId }) => typeId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(inventory.vgpuTypes.find(({ typeId }) => typeId === 'nvidia-468')?.description).toContain(
      'max_instance=10',
    )
  })
})

describe('an A40 with 32 VFs where 12 fit', () => {
  test('5 created: their VFs report 0, the other 27 report 1', async () => {
    const inventory = await scanFixture(a40Host)
    expect(available(inventory, '0000:c1:00.0', 'nvidia-560')).toEqual([
      ...Array(5).fill(0),
      ...Array(27).fill(1),
    ])
    expect(inventory.vgpuTypes.find(({ typeId }) => typeId === 'nvidia-560')?.description).toContain(
      'max_instance=12',
    )
  })

  test('12 created: all 32 report 0', async () => {
    const inventory = await scanFixture(a40FullHost)
    expect(available(inventory, '0000:c1:00.0', 'nvidia-560')).toEqual(Array(32).fill(0))
    expect(inventory.mdevs).toHaveLength(12)
  })
})

test('after one 4 GB vGPU 4Q, 4A and 4C stay creatable and all others are 0', async () => {
  const inventory = await scanFixture(equalSizeHost)
  const [made] = inventory.mdevs ?? []
  expect(made).toMatchObject({ parent: '0000:65:00.4', typeId: 'nvidia-746' })
  expect(creatable(inventory, '0000:65:00.4')).toEqual([])
  expect(creatable(inventory, '0000:65:00.5').sort()).toEqual([
    'NVIDIA A2-4A',
    'NVIDIA A2-4C',
    'NVIDIA A2-4Q',
  ])
})

describe('vendor-specific VFIO', () => {
  test('no mdev bus; current types, and what can be created under its header line', async () => {
    const inventory = await scanFixture(vendorVfioHost)
    expect([inventory.mdevs, inventory.vgpuTypes]).toEqual([[], []])
    const [first, second] = ['0000:41:00.0', '0000:81:00.0'].map((address) => cardAt(inventory, address))
    expect(first).toMatchObject({
      mdevTypes: null,
      vendorVfio: null,
      sriov: { totalVfs: 32, enabledVfs: 32 },
    })
    const current = first?.virtualFunctions.map(({ vendorVfio }) => vendorVfio?.currentType)
    expect(current).toEqual([...Array(4).fill(1152), ...Array(28).fill(0)])
    const creatableLines = first?.virtualFunctions[10]?.vendorVfio?.creatable
    expect(creatableLines?.[0]).toBe('ID    : vGPU Name')
    expect(creatableLines).toContain('1152  : NVIDIA L40S-8Q')
    // A full card prints its header only.
    expect(second?.virtualFunctions[0]?.vendorVfio?.currentType).toBe(1156)
    expect(
      second?.virtualFunctions.slice(1).every(({ vendorVfio }) => vendorVfio?.creatable?.length === 1),
    ).toBe(true)
    expect(inventory.problems).toEqual([])
  })

  test('without the header line a full card has an empty list, which is not unknown', async () => {
    const inventory = await scanFixture(vendorVfioPlainHost)
    const [free, full] = ['0000:41:00.0', '0000:81:00.0'].map((address) => cardAt(inventory, address))
    expect(free?.virtualFunctions[10]?.vendorVfio?.creatable?.[0]).toMatch(/^\d+ +: NVIDIA L40S-/)
    expect(full?.virtualFunctions[5]?.vendorVfio).toEqual({ currentType: 0, creatable: [] })
  })

  test('guests hold VFs by PCI address; Nova’s device_spec lines are all there, in order', async () => {
    const inventory = await scanFixture(vendorVfioHost)
    const held = inventory.guests?.flatMap(({ pciDevices }) => pciDevices.map(({ address }) => address))
    expect(held?.sort()).toEqual(['0000:41:00.4', '0000:41:00.5', '0000:41:00.6', '0000:81:00.4'])
    const specs = inventory.novaConfig?.options.filter(({ name }) => name === 'device_spec')
    expect(specs?.map(({ value }) => /"address": "([^"]+)"/.exec(value)?.[1])).toEqual([
      '0000:41:00.4',
      '0000:41:00.5',
      '0000:41:00.6',
      '0000:41:00.7',
      '0000:81:00.4',
    ])
  })
})

test('MIG-backed types, and the mode by nvidia-smi', async () => {
  const inventory = await scanFixture(migHost)
  expect(inventory.vgpuTypes.find(({ typeId }) => typeId === 'nvidia-474')?.name).toMatch(/A100-1-5C$/)
  expect(inventory.nvidiaSmi?.gpus.map(({ address, migMode }) => [address, migMode])).toEqual([
    ['0000:21:00.0', 'enabled'],
    ['0000:e1:00.0', 'enabled'],
  ])
  const [cut, whole] = inventory.nvidiaSmi?.gpus.map(({ gpuInstances }) => gpuInstances) ?? []
  expect(cut?.map(({ profile }) => profile)).toEqual(['1g.5gb', '1g.5gb', '1g.5gb', '1g.5gb', '3g.20gb'])
  expect(whole).toEqual([])
  expect(
    available(inventory, '0000:21:00.0', 'nvidia-474').filter((count) => count === 1).length,
  ).toBeGreaterThan(0)
  expect(available(inventory, '0000:e1:00.0', 'nvidia-474')).toEqual(Array(16).fill(0))
})
