import { expect, test } from 'vitest'
import { buildGuest, buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { pgpuOf } from '@/lib/domain/testing/describe'
import { a40Host, gvtgHost, mttyHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { offersOf } from '@/lib/domain/testing/offers'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const reasonsOf = (inventory: Inventory, address?: string) =>
  Object.fromEntries(
    pgpuOf(inventory, address).supportedTypes?.map((type) => [type.shortName, type.limitReason]) ?? [],
  )

const fitsOf = (inventory: Inventory) =>
  pgpuOf(inventory).supportedTypes?.map((type) => [type.shortName, type.maxInstance])

const T4 = '0000:e7:00.0'

/** A T4 with `held` T4-4C in use that offers the types of `available`. */
const t4With = (held: number, available: (name: string) => number) => {
  const mdevs = Array.from({ length: held }, (_, n) =>
    buildMdev({ uuid: uuidOf(n + 1), parent: T4, typeId: 'nvidia-319' }),
  )
  return buildInventory({
    cards: [{ address: T4, offers: offersOf('T4', ({ name }) => available(name)) }],
    mdevs,
    guests: mdevs.map((mdev, n) => buildGuest({ uuid: uuidOf(50 + n), name: `i-${n}`, mdevs: [mdev.uuid] })),
    novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-319'),
  })
}

test('a driver that continues with this very type only locks the card to the type, for every other type', () => {
  const { 'T4-4C': own, ...others } = reasonsOf(t4With(1, (name) => (name === 'GRID T4-4C' ? 3 : 0)))
  expect(own).toBe('1 vGPU uses the other one')
  expect(new Set(Object.values(others))).toEqual(new Set(['locked to T4-4C by 1 existing vGPU']))
})

test('a driver that continues with types of the same size locks the card to the size, for every other type', () => {
  const reasons = reasonsOf(t4With(1, (name) => (/-4[ACQ]$/.test(name) ? 3 : 0)))
  const { 'T4-4C': _c, 'T4-4Q': _q, 'T4-4A': _a, ...others } = reasons
  expect(new Set(Object.values(others))).toEqual(new Set(['locked to 4 GiB types by 1 existing vGPU']))
})

test('a full card does not show the rule, so the reason names what exists and no rule', () => {
  const { 'T4-4C': own, 'T4-4Q': same, 'T4-4A': _a, ...others } = reasonsOf(t4With(4, () => 0))
  expect([own, same]).toEqual(['full', 'full'])
  expect(new Set(Object.values(others))).toEqual(new Set(['locked by 4 existing T4-4C']))
})

test('vGPUs of one size but several types show that the size is what counts', () => {
  const inventory = a40Host()
  const mdevs = inventory.mdevs?.map((mdev, n) => (n === 0 ? { ...mdev, typeId: 'nvidia-596' } : mdev)) ?? []
  expect(reasonsOf({ ...inventory, mdevs })['A40-8Q']).toBe('locked to 4 GiB types by 3 existing vGPUs')
})

test('Intel’s types share the card’s memory: a type without free memory is not locked', () => {
  const inventory = gvtgHost()
  inventory.vgpuTypes.push({
    typeId: 'i915-GVTg_V5_1',
    name: 'GVTg_V5_1',
    description: 'low_gm_size: 512MB\nhigh_gm_size: 2048MB\nfence: 4\nresolution: 1920x1200\nweight: 16\n',
    deviceApi: 'vfio-pci',
  })
  inventory.gpus[0]?.mdevTypes?.push([2, 0])
  expect(reasonsOf(inventory)).toEqual({
    GVTg_V5_4: null,
    GVTg_V5_8: null,
    GVTg_V5_1: 'no capacity left because of 1 existing vGPU',
  })
})

test('the current type fits as often as the capacity reports, also when the driver gives no maximum', () => {
  expect(fitsOf(gvtgHost())).toEqual([
    ['GVTg_V5_4', 2],
    ['GVTg_V5_8', null],
  ])
  expect(fitsOf(mttyHost())).toEqual([
    ['Single port serial', null],
    ['Dual port serial', 12],
  ])
  for (const host of [gvtgHost(), mttyHost(), vendorVfioHost(), t4SeedHost()]) {
    const pgpu = pgpuOf(host)
    const current = pgpu.supportedTypes?.find((type) => type.typeId === pgpu.currentType?.typeId)
    expect(current?.maxInstance ?? null).toBe(pgpu.numbers.capacity.value)
  }
})

test('on an empty card without a maximum as many fit as the driver offers', () => {
  expect(fitsOf({ ...gvtgHost(), mdevs: [], guests: [] })).toEqual([
    ['GVTg_V5_4', 1],
    ['GVTg_V5_8', 2],
  ])
})
