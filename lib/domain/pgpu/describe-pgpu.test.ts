import { describe, expect, it } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import {
  buildGuest,
  buildInventory,
  buildMdev,
  type CardSpec,
  novaConf,
  uuidOf,
} from '@/lib/domain/testing/build-inventory'
import { pgpuOf, valuesOf } from '@/lib/domain/testing/describe'
import { a40Host, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { offersOf, vfOf } from '@/lib/domain/testing/offers'

const modelsOf = (cards: CardSpec[]): string[] =>
  describeHost(buildInventory({ cards })).pgpus.map((pgpu) => pgpu.model)

const card = (vendorId: string, deviceId: string, rest: Partial<CardSpec> = {}): CardSpec => ({
  address: '0000:3b:00.0',
  vendorId,
  deviceId,
  driver: null,
  ...rest,
})

describe('which devices are pGPUs', () => {
  it('cards of NVIDIA, AMD and Intel', () => {
    expect(modelsOf([card('1002', '740f'), card('8086', '56c0'), card('10de', '2bb9')])).toEqual([
      'AMD Instinct MI210',
      'Intel Data Center GPU Flex 170',
      'NVIDIA 10de:2bb9',
    ])
  })

  it('no console graphics, not even of a GPU maker', () => {
    expect(
      modelsOf([card('1a03', '2000'), card('102b', '0536'), card('1002', '515e'), card('1234', '1111')]),
    ).toEqual([])
  })

  it("accelerators of NVIDIA and AMD, not Intel's FPGAs", () => {
    const classCode = '120000'
    expect(modelsOf([card('1002', '74a1', { classCode }), card('8086', '0b30', { classCode })])).toEqual([
      'AMD Instinct MI300X',
    ])
  })

  it('any mdev parent, regardless of who made it', () => {
    expect(modelsOf([card('1af4', '1050', { offers: [] })])).toEqual(['PCI device 1af4:1050'])
  })
})

describe('names of models', () => {
  it('come from the driver first, with the maker in front', () => {
    expect(modelsOf([card('10de', '1eb8', { modelName: 'Tesla T4' })])).toEqual(['NVIDIA Tesla T4'])
    expect(modelsOf([card('10de', '2235', { modelName: 'NVIDIA A40' })])).toEqual(['NVIDIA A40'])
  })

  it('distinguish A16 from A2, which share a chip, by the subsystem', () => {
    const a2 = card('10de', '25b6', { subsystemVendorId: '10de', subsystemDeviceId: '157e' })
    const a16 = card('10de', '25b6', { subsystemVendorId: '10de', subsystemDeviceId: '14a9' })
    const other = card('10de', '25b6', { subsystemVendorId: '1028', subsystemDeviceId: '0000' })
    expect(modelsOf([a2, a16, other])).toEqual(['NVIDIA A2', 'NVIDIA A16', 'NVIDIA A16 / A2'])
  })
})

describe('VFs assigned without a vGPU type', () => {
  it('are their own places: an SR-IOV card of which guests take VFs', () => {
    const functions = [0, 1, 2, 3].map((n) => ({ address: vfOf('0000:9a:00.0', n), driver: 'vfio-pci' }))
    const inventory = buildInventory({
      cards: [{ address: '0000:9a:00.0', vendorId: '8086', deviceId: '56c0', driver: 'i915', functions }],
      guests: [buildGuest({ uuid: uuidOf(1), name: 'i-1', pciDevices: [functions[2]?.address ?? ''] })],
    })
    const pgpu = pgpuOf(inventory)
    expect(pgpu.framework).toBe('passthrough')
    expect(valuesOf(pgpu)).toMatchObject({ capacity: 4, used: 1, creatable: 3 })
    expect(describeHost(inventory).guests?.[0]?.pgpuAddresses).toEqual(['0000:9a:00.0'])
  })
})

describe('the current type', () => {
  const withTypes = (typeIds: string[], configured: string) =>
    pgpuOf({
      ...a40Host(`[devices]\nenabled_mdev_types = ${configured}`),
      mdevs: typeIds.map((typeId, n) =>
        buildMdev({ uuid: uuidOf(n + 1), parent: vfOf('0000:41:00.0', n), typeId }),
      ),
      guests: [],
    }).currentType?.shortName

  it('is that of most vGPUs', () => {
    expect(withTypes(['nvidia-560', 'nvidia-596', 'nvidia-596'], 'nvidia-560')).toBe('A40-4C')
  })

  it('is of two equal ones the configured one', () => {
    expect(withTypes(['nvidia-560', 'nvidia-596'], 'nvidia-596')).toBe('A40-4C')
    expect(withTypes(['nvidia-560', 'nvidia-596'], 'nvidia-560')).toBe('A40-4Q')
  })
})

describe('readings that do not fit together', () => {
  const sriovHost = (available: number | null) =>
    buildInventory({
      cards: [
        {
          address: '0000:41:00.0',
          functions: [0, 1].map((n) => ({
            address: vfOf('0000:41:00.0', n),
            offers: offersOf('A40', () => (n === 0 ? 0 : available)),
          })),
        },
      ],
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-560'),
    })

  it('one unreadable VF makes creatable unknown instead of 0', () => {
    expect(pgpuOf(sriovHost(null)).numbers.creatable.reason).toBe('available_instances could not be read')
    expect(pgpuOf(sriovHost(0)).numbers.creatable.value).toBe(0)
  })

  it('a card without SR-IOV that offers more than its maximum leaves draws no more than its capacity', () => {
    const mdev = buildMdev({ uuid: uuidOf(1), parent: '0000:e7:00.0', typeId: 'nvidia-319' })
    const inventory = buildInventory({
      cards: [{ address: '0000:e7:00.0', offers: offersOf('T4') }],
      mdevs: [mdev],
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-319'),
    })
    expect(pgpuOf(inventory).cells.map((cell) => cell.kind)).toEqual(['spare', 'free', 'free', 'free'])
  })

  it('an mdev whose parent is no pGPU of the host is shown with its guest', () => {
    const mdev = buildMdev({ uuid: uuidOf(1), parent: '0000:99:00.0', typeId: 'nvidia-319' })
    const guests = [buildGuest({ uuid: uuidOf(2), name: 'i-1', mdevs: [mdev.uuid] })]
    const host = describeHost(buildInventory({ cards: [], mdevs: [mdev], guests }))
    expect(host.mdevs).toMatchObject([{ pgpuAddress: null, state: 'used', occupant: { guestName: 'i-1' } }])
  })

  it('names of running vendor types are not guessed if several types run and no source assigns them', () => {
    const inventory = vendorVfioHost()
    const functions = inventory.gpus[0]?.virtualFunctions ?? []
    functions.forEach((vf, n) => {
      vf.vendorVfio = { currentType: n < 2 ? 9157 + n : 0, creatable: [] }
    })
    const vgpu = (guestUuid: string | null) => ({
      vgpuId: '1',
      guestUuid,
      guestName: null,
      typeName: 'NVIDIA L40S-16Q',
      mdevUuid: null,
      licenseStatus: null,
    })
    const smi = (guestUuid: string | null) => ({
      driverVersion: null,
      gpus: [
        {
          address: '0000:c8:00.0',
          name: null,
          uuid: null,
          framebufferMib: null,
          migMode: null,
          heterogeneousMode: null,
          vgpus: [vgpu(guestUuid)],
        },
      ],
    })
    const namesOf = (guestUuid: string | null) =>
      pgpuOf({ ...inventory, nvidiaSmi: smi(guestUuid) }).cells.map((cell) => cell.typeName)
    expect(namesOf(null)).toEqual(['nvidia-9157', 'nvidia-9158'])
    expect(namesOf(uuidOf(200))).toEqual(['L40S-16Q', 'nvidia-9158'])
  })
})

describe('raw facts', () => {
  const facts = pgpuOf(t4SeedHost(), '0000:f4:00.0').rawFacts
  const sourceOf = (label: string) => facts.find((fact) => fact.label === label)?.source

  it('name the file on the host behind each', () => {
    expect(sourceOf('PCI id')).toBe('/sys/bus/pci/devices/0000:f4:00.0/vendor, device')
    expect(sourceOf('T4-16C available')).toBe(
      '/sys/class/mdev_bus/0000:f4:00.0/mdev_supported_types/nvidia-321/available_instances',
    )
    expect(sourceOf('Guest instance-00000004 names mdev')).toBe(
      '/run/libvirt/qemu/instance-00000004.xml, /etc/libvirt/qemu/instance-00000004.xml',
    )
    expect(sourceOf('[devices] enabled_vgpu_types')).toBe('/etc/nova/nova.conf:2')
  })

  it('are left out of what is stored, as cells are', () => {
    const { pgpus } = describeHost(t4SeedHost(), { detail: 'rows' })
    const details = pgpus.flatMap(({ rawFacts, deviceSpecs, cells }) => [
      ...rawFacts,
      ...deviceSpecs,
      ...cells,
    ])
    expect(pgpus).toHaveLength(8)
    expect(details).toEqual([])
  })

  it('are left out of what rules read, unlike cells', () => {
    const { pgpus, novaOptions } = describeHost(t4SeedHost(), { detail: 'rules' })
    expect(pgpus.map(({ rawFacts, deviceSpecs }) => [...rawFacts, ...deviceSpecs])).toEqual(
      pgpus.map(() => []),
    )
    expect(novaOptions).toBeNull()
    expect(pgpus.map(({ cells }) => cells)).toEqual(
      describeHost(t4SeedHost()).pgpus.map(({ cells }) => cells),
    )
  })

  it('count the VFs behind a number', () => {
    expect(pgpuOf(a40Host()).rawFacts).toContainEqual({
      label: 'A40-4Q available',
      value: '0 on 3, 1 on 29',
      source: '/sys/class/mdev_bus/<VF>/mdev_supported_types/nvidia-560/available_instances',
    })
  })
})

describe('lines of device_spec', () => {
  const functions = [4, 5, 6].map((n) => ({
    address: `0000:c8:00.${n}`,
    vendorVfio: { currentType: 1154, creatable: [] },
  }))
  const lines = [
    '{"vendor_id": "10de", "product_id": "1024"}',
    ...['c8:00.4', 'c8:00.5', '41:00.0'].map((address) => `{"address": "0000:${address}", "managed": "no"}`),
  ]
  const inventory = buildInventory({
    cards: [
      { address: '0000:c8:00.0', deviceId: '26b9', modelName: 'NVIDIA L40S', functions },
      { address: '0000:41:00.0', deviceId: '1eb8', modelName: 'Tesla T4' },
    ],
    novaConfig: novaConf(`[pci]\n${lines.map((line) => `device_spec = ${line}`).join('\n')}`),
  })

  it('are those that name the card or its VFs, with the file', () => {
    const [l40s, t4] = describeHost(inventory).pgpus
    expect(l40s?.deviceSpecs).toEqual([
      {
        text: 'address 0000:c8:00.4, managed no',
        source: '/etc/nova/nova.conf:3',
        functions: ['0000:c8:00.4'],
      },
      {
        text: 'address 0000:c8:00.5, managed no',
        source: '/etc/nova/nova.conf:4',
        functions: ['0000:c8:00.5'],
      },
    ])
    expect(t4?.deviceSpecs).toMatchObject([{ source: '/etc/nova/nova.conf:5' }])
  })

  it('are in the raw facts of their card alone', () => {
    const sources = describeHost(inventory).pgpus.map(({ rawFacts }) =>
      rawFacts.filter(({ label }) => label === '[pci] device_spec').map(({ source }) => source),
    )
    expect(sources).toEqual([['/etc/nova/nova.conf:3', '/etc/nova/nova.conf:4'], ['/etc/nova/nova.conf:5']])
  })
})
