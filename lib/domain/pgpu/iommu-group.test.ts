import { expect, test } from 'vitest'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import type { GpuDevice, GroupDevice } from '@/lib/schemas/agent/inventory'
import { readIommuGroup } from './iommu-group'

const AUDIO: GroupDevice = {
  address: '0000:65:00.1',
  classCode: '040300',
  vendorId: '10de',
  deviceId: '10f7',
  driver: 'snd_hda_intel',
}

const cardIn = (card: Partial<GpuDevice>): GpuDevice => {
  const { address: _, mdevTypes: __, ...rest } = card
  const [gpu] = buildInventory({
    cards: [{ address: '0000:65:00.0', iommuGroup: 40, ...rest }],
  }).gpus
  if (gpu === undefined) throw new Error('no card was built')
  return gpu
}

const groupWith = (...devices: GroupDevice[]) =>
  readIommuGroup(
    cardIn({ iommuGroupMembers: devices.map(({ address }) => address), iommuGroupDevices: devices }),
  )

test('a card alone in its group is isolated, with any driver', () => {
  expect(readIommuGroup(cardIn({ driver: 'nvidia' }))).toEqual({
    members: [],
    isolation: { value: true, reason: null },
  })
})

test('an audio function under its own driver keeps the group from guests', () => {
  const { members, isolation } = groupWith(AUDIO)
  expect(members).toEqual([
    {
      address: '0000:65:00.1',
      kind: 'audio device',
      pciId: '10de:10f7',
      driver: 'snd_hda_intel',
      isInTheWay: true,
    },
  ])
  expect(isolation).toEqual({
    value: false,
    reason: '0000:65:00.1 (audio device) is bound to snd_hda_intel',
  })
})

test.each([['vfio-pci'], ['pci-stub'], ['mlx5_vfio_pci'], ['nvgrace_gpu_vfio_pci'], [null]])(
  'a member bound to %s leaves the group to guests',
  (driver) => {
    expect(groupWith({ ...AUDIO, driver }).isolation.value).toBe(true)
  },
)

test('a bridge under its port driver is not in the way, another bridge driver is not either', () => {
  const bridge = { ...AUDIO, address: '0000:64:00.0', classCode: '060400' }
  expect(groupWith({ ...bridge, driver: 'pcieport' }).isolation.value).toBe(true)
  expect(groupWith({ ...bridge, driver: 'shpchp' }).isolation.value).toBe(true)
})

test('a value that is not reported is unknown, with the reason', () => {
  const others = { iommuGroupMembers: [AUDIO.address] }
  const isolationOf = (card: Partial<GpuDevice>) => readIommuGroup(cardIn(card)).isolation
  expect(isolationOf({ iommuGroup: null })).toEqual({
    value: null,
    reason: 'the kernel shows no IOMMU group',
  })
  expect(isolationOf(others)).toMatchObject({ value: null, reason: expect.stringContaining('agent') })
  expect(isolationOf({ ...others, iommuGroupDevices: null })).toMatchObject({ value: null })
})
