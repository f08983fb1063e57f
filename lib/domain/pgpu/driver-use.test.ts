import { describe, expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { buildGuest, buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import { offersOf } from '@/lib/domain/testing/offers'
import type { DeviceHolder, Inventory, NvidiaSmi } from '@/lib/schemas/agent/inventory'

const CARD = '0000:01:00.0'
const [FIRST, SECOND, GUEST] = [uuidOf(0x101), uuidOf(0x102), uuidOf(0x900)]

type SmiVgpu = NvidiaSmi['gpus'][number]['vgpus'][number]

const running = (over: Partial<SmiVgpu> = {}): SmiVgpu => ({
  vgpuId: '3251634190',
  guestUuid: null,
  guestName: 'win10test,debug-threads=on',
  typeName: 'GRID T4-2Q',
  mdevUuid: null,
  licenseStatus: null,
  ...over,
})

/** Two mdevs of T4-2Q; nova.conf names T4-1Q, so an unattached one is an orphan. */
const host = (vgpus: SmiVgpu[], rest: Partial<Inventory> = {}): Inventory =>
  buildInventory({
    cards: [{ address: CARD, offers: offersOf('T4') }],
    mdevs: [FIRST, SECOND].map((uuid) => buildMdev({ uuid, parent: CARD, typeId: 'nvidia-231' })),
    novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-230'),
    nvidiaSmi: {
      driverVersion: '525.147.01',
      gpus: [
        {
          address: CARD,
          name: 'Tesla T4',
          uuid: null,
          framebufferMib: 16127,
          migMode: null,
          heterogeneousMode: null,
          vgpus,
        },
      ],
    },
    ...rest,
  })

const statesOf = (inventory: Inventory) =>
  describeHost(inventory).mdevs?.map(({ state, occupant }) => `${state} ${occupant?.guestName ?? '-'}`)

const numbersOf = (inventory: Inventory) => {
  const [pgpu] = describeHost(inventory).pgpus
  return [pgpu?.numbers.used.value, pgpu?.numbers.orphan.value]
}

describe('a vGPU that the driver reports as running', () => {
  test('is used by any guest', () => {
    const inventory = host([running({ mdevUuid: FIRST })])
    expect(statesOf(inventory)).toEqual(['used win10test', 'orphan -'])
    expect(sentencesOf(inventory, 'orphan-mdevs')).toEqual([
      'warning: 1 orphaned mdev of T4-2Q uses capacity',
    ])
    expect(sentencesOf(inventory, 'guests-outside-libvirt')).toEqual([
      'warning: 1 vGPU is used by guests that libvirt does not list',
    ])
  })

  test('is one of several when the driver does not report which', () => {
    expect(statesOf(host([running()]))).toEqual(['unknown -', 'unknown -'])
    expect(numbersOf(host([running()]))).toEqual([null, null])
    expect(sentencesOf(host([running()]), 'orphan-mdevs')).toEqual([])
  })

  test('is each of them when it reports as many', () => {
    const inventory = host([running(), running({ vgpuId: '2', guestName: 'other' })])
    expect(numbersOf(inventory)).toEqual([2, 0])
  })

  test('is not one of another type', () => {
    expect(numbersOf(host([running({ typeName: 'GRID T4-4Q' })]))).toEqual([0, 2])
  })

  test.each([
    ['by uuid', running({ guestUuid: GUEST })],
    ['by name', running({ guestName: 'instance-00000001' })],
    ['by elimination', running({ guestName: null })],
  ])('is that of the guest of libvirt which holds one: %s', (_name, vgpu) => {
    const guests = [buildGuest({ uuid: GUEST, name: 'instance-00000001', mdevs: [FIRST] })]
    expect(statesOf(host([vgpu], { guests }))).toEqual(['used instance-00000001', 'orphan -'])
  })
})

describe('a process that uses a device', () => {
  const holder: DeviceHolder = {
    device: SECOND,
    seenBy: 'open-file',
    pid: 812,
    program: 'qemu-system-x86_64',
    guestName: null,
    guestUuid: null,
  }

  test('makes it used, without libvirt’s folders too', () => {
    expect(statesOf(host([], { deviceHolders: [holder] }))).toEqual([
      'orphan -',
      'used qemu-system-x86_64 (process 812)',
    ])
    const proxmox = host([], { deviceHolders: [holder], guests: null, novaConfig: null })
    expect(statesOf(proxmox)).toEqual(['unknown -', 'used qemu-system-x86_64 (process 812)'])
  })

  test('is the guest that the driver reports', () => {
    const vgpu = running({ guestName: 'win10test' })
    const named = { ...holder, guestName: 'win10test', guestUuid: GUEST }
    expect(statesOf(host([vgpu], { deviceHolders: [named] }))).toEqual(['orphan -', 'used win10test'])
  })

  test('counts for a VF with a vGPU type and for a whole card', () => {
    const vf = '0000:41:00.4'
    const inventory = buildInventory({
      cards: [
        {
          address: '0000:41:00.0',
          functions: [{ address: vf, vendorVfio: { currentType: 594, creatable: [] } }],
        },
        { address: '0000:81:00.0', driver: 'nvgrace_gpu_vfio_pci' },
      ],
      deviceHolders: [vf, '0000:81:00.0'].map((device) => ({ ...holder, device })),
    })
    expect(
      describeHost(inventory).pgpus.map(({ numbers }) => [numbers.used.value, numbers.spare.value]),
    ).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  test('without a type may be any of the unattached ones', () => {
    const inventory = host([running({ typeName: null, guestName: null })])
    const [first, second] = inventory.mdevs ?? []
    const mdevs = [first, second === undefined ? undefined : { ...second, typeId: 'nvidia-230' }]
    expect(statesOf({ ...inventory, mdevs: mdevs.filter((mdev) => mdev !== undefined) })).toEqual([
      'unknown -',
      'unknown -',
    ])
  })
})
