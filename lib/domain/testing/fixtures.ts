import type { Inventory } from '@/lib/schemas/agent/inventory'
import {
  autostart,
  buildGuest,
  buildInventory,
  buildMdev,
  type CardSpec,
  novaConf,
  type Offer,
  uuidOf,
} from './build-inventory'
import { offersOf, vfOf } from './offers'

/** The T4 host of the first seed: 8 cards, 17 types, one GRID T4-16C in use by instance-00000004 on 0000:f4:00.0. */
export const t4SeedHost = (): Inventory => {
  const mdev = buildMdev({ uuid: uuidOf(4), parent: '0000:f4:00.0', typeId: 'nvidia-321' })
  const addresses = ['18', '19', '35', '36', 'e7', 'e8', 'f4', 'f5'].map((bus) => `0000:${bus}:00.0`)
  return buildInventory({
    cards: addresses.map((address) => ({
      address,
      modelName: 'Tesla T4',
      offers: offersOf('T4', address === mdev.parent ? () => 0 : undefined),
    })),
    mdevs: [mdev],
    guests: [buildGuest({ uuid: uuidOf(104), name: 'instance-00000004', mdevs: [mdev.uuid] })],
    novaConfig: novaConf('[devices]\nenabled_vgpu_types = nvidia-321'),
    nvidiaSmi: {
      driverVersion: '470.63',
      gpus: addresses.map((address) => ({
        address,
        name: 'Tesla T4',
        uuid: null,
        framebufferMib: 16127,
        migMode: null,
        heterogeneousMode: null,
        vgpus: [],
      })),
    },
  })
}

/** The four pGPUs of Nova's document, nvidia-35 to nvidia-45, 84 and 85 on nvidia-35, 86 on nvidia-36, 87 on none. */
export const novaDocumentHost = (): Inventory =>
  buildInventory({
    cards: ['84', '85', '86', '87'].map((bus) => ({
      address: `0000:${bus}:00.0`,
      deviceId: '13f2',
      offers: Array.from(
        { length: 11 },
        (_, n): Offer => ({
          typeId: `nvidia-${35 + n}`,
          name: null,
          description: null,
          available: 16,
        }),
      ),
    })),
    novaConfig: novaConf(`[devices]
enabled_mdev_types = nvidia-35, nvidia-36
[mdev_nvidia-35]
device_addresses = 0000:84:00.0,0000:85:00.0
[vgpu_nvidia-36]
device_addresses = 0000:86:00.0`),
  })

/** An SR-IOV card of which the first `made` VFs have a vGPU of `typeId`; the others offer the types of `available`. */
export const sriovCard = ({
  address,
  model,
  functions,
  made,
  available,
}: {
  address: string
  model: 'A40' | 'A100'
  functions: number
  made: number
  available: (type: { typeId: string; name: string; maxInstance: number }) => number | null
}): CardSpec => ({
  address,
  deviceId: model === 'A40' ? '2235' : '20f1',
  modelName: model === 'A40' ? 'NVIDIA A40' : 'NVIDIA A100-PCIE-40GB',
  functions: Array.from({ length: functions }, (_, n) => ({
    address: vfOf(address, n),
    offers: offersOf(model, n < made ? () => 0 : available),
  })),
})

const madeOn = (pf: string, typeId: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const mdev = { uuid: uuidOf(n + 1), parent: vfOf(pf, n), typeId }
    return buildMdev({ ...mdev, definition: autostart(mdev) })
  })

/** The A100 of the slides: 16 VFs, 10 of nvidia-468 made, available 0 everywhere, max_instances = 10; nine guests, one spare. */
export const a100SlidesHost = (): Inventory => {
  const mdevs = madeOn('0000:41:00.0', 'nvidia-468', 10)
  return buildInventory({
    cards: [
      sriovCard({ address: '0000:41:00.0', model: 'A100', functions: 16, made: 10, available: () => 0 }),
    ],
    mdevs,
    guests: mdevs.slice(0, 9).map((mdev, n) =>
      buildGuest({
        uuid: uuidOf(200 + n),
        name: `instance-${n}`,
        state: n === 8 ? 'shutoff' : 'running',
        mdevs: [mdev.uuid],
      }),
    ),
    novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-468\n[mdev_nvidia-468]\nmax_instances = 10'),
  })
}

/** An A40 with 32 VFs where 12 A40-4Q fit and 3 are made: 4 GiB types stay creatable, all others go to 0. */
export const a40Host = (nova = '[devices]\nenabled_mdev_types = nvidia-560'): Inventory => {
  const mdevs = madeOn('0000:41:00.0', 'nvidia-560', 3)
  return buildInventory({
    cards: [
      sriovCard({
        address: '0000:41:00.0',
        model: 'A40',
        functions: 32,
        made: 3,
        available: ({ name }) => (/-4[QAC]$/.test(name) ? 1 : 0),
      }),
    ],
    mdevs,
    guests: mdevs
      .slice(0, 2)
      .map((mdev, n) => buildGuest({ uuid: uuidOf(200 + n), name: `i-${n}`, mdevs: [mdev.uuid] })),
    novaConfig: novaConf(nova),
  })
}

/** An L40S with vendor-specific VFIO: two L40S-16Q of three, one held by a guest, header line on every second VF. */
export const vendorVfioHost = (): Inventory =>
  buildInventory({
    cards: [
      {
        address: '0000:c8:00.0',
        deviceId: '26b9',
        modelName: 'NVIDIA L40S',
        functions: Array.from({ length: 8 }, (_, n) => ({
          address: vfOf('0000:c8:00.0', n),
          vendorVfio: {
            currentType: n < 2 ? 1154 : 0,
            creatable:
              n < 2 ? [] : [...(n % 2 === 0 ? ['ID    : vGPU Name'] : []), '1154  : NVIDIA L40S-16Q'],
          },
        })),
      },
    ],
    mdevs: null,
    guests: [buildGuest({ uuid: uuidOf(200), name: 'i-1', pciDevices: [vfOf('0000:c8:00.0', 0)] })],
    novaConfig: novaConf(
      '[pci]\ndevice_spec = {"vendor_id":"10de","product_id":"26b9","address":"0000:c8:00.0","managed":"no","resource_class":"CUSTOM_L40S_16Q"}',
    ),
  })

/**
 * A Tesla K40c bound to vfio-pci and whitelisted with the old option, used by a guest, with a Matrox console chip in the
 * host.
 */
export const k40cHost = (): Inventory =>
  buildInventory({
    cards: [
      {
        address: '0000:86:00.0',
        deviceId: '1024',
        subsystemDeviceId: '0983',
        classCode: '030200',
        driver: 'vfio-pci',
        iommuGroup: 44,
      },
      { address: '0000:09:00.0', vendorId: '102b', deviceId: '0536', classCode: '030000', driver: 'mgag200' },
    ],
    mdevs: null,
    guests: [buildGuest({ uuid: uuidOf(300), name: 'instance-00000ee0', pciDevices: ['0000:86:00.0'] })],
    novaConfig: novaConf('pci_passthrough_whitelist = [{"vendor_id": "10de", "product_id":"1024"}]'),
  })

/** Intel GVT-g on UHD 630: a description of several lines, no max_instance; one V5_4 of a guest, one more possible. */
export const gvtgHost = (): Inventory => {
  const wording = (low: number, high: number, weight: number) =>
    `low_gm_size: ${low}MB\nhigh_gm_size: ${high}MB\nfence: 4\nresolution: 1920x1200\nweight: ${weight}\n`
  const mdev = buildMdev({ uuid: uuidOf(1), parent: '0000:00:02.0', typeId: 'i915-GVTg_V5_4' })
  return buildInventory({
    cards: [
      {
        address: '0000:00:02.0',
        vendorId: '8086',
        deviceId: '3e98',
        classCode: '030000',
        driver: 'i915',
        offers: [
          {
            typeId: 'i915-GVTg_V5_4',
            name: 'GVTg_V5_4',
            description: wording(128, 512, 4),
            available: 1,
          },
          {
            typeId: 'i915-GVTg_V5_8',
            name: 'GVTg_V5_8',
            description: wording(64, 384, 2),
            available: 2,
          },
        ],
      },
    ],
    mdevs: [mdev],
    guests: [buildGuest({ uuid: uuidOf(2), name: 'desktop-1', mdevs: [mdev.uuid] })],
    novaConfig: novaConf('[devices]\nenabled_mdev_types = i915-GVTg_V5_4'),
  })
}

/** The kernel's mtty: a parent without a PCI device, types without description; one mtty-2 of a guest, 11 more fit. */
export const mttyHost = (): Inventory => {
  const mdev = buildMdev({ uuid: uuidOf(1), parent: 'mtty', typeId: 'mtty-2' })
  return buildInventory({
    cards: [
      {
        address: 'mtty',
        classCode: null,
        vendorId: null,
        deviceId: null,
        subsystemVendorId: null,
        subsystemDeviceId: null,
        driver: null,
        numaNode: null,
        offers: [
          { typeId: 'mtty-1', name: 'Single port serial', description: null, available: 22 },
          { typeId: 'mtty-2', name: 'Dual port serial', description: null, available: 11 },
        ],
      },
    ],
    mdevs: [mdev],
    guests: [buildGuest({ uuid: uuidOf(2), name: 'tempest-1', mdevs: [mdev.uuid] })],
    novaConfig: novaConf('[devices]\nenabled_mdev_types = mtty-2'),
  })
}

/** An A100 in MIG mode: three A100-1-5C and one A100-3-20C in use, one 1g.5gb instance free, which 12 VFs offer. */
export const migHost = (): Inventory => {
  const mdevs = [0, 1, 2, 3].map((n) =>
    buildMdev({
      uuid: uuidOf(n + 1),
      parent: vfOf('0000:21:00.0', n),
      typeId: n < 3 ? 'nvidia-474' : 'nvidia-476',
    }),
  )
  const functions = mdevs.map((mdev) => mdev.parent)
  return buildInventory({
    cards: [
      sriovCard({
        address: '0000:21:00.0',
        model: 'A100',
        functions: 16,
        made: 4,
        available: ({ typeId }) => (typeId === 'nvidia-474' ? 1 : 0),
      }),
    ],
    mdevs,
    guests: mdevs.map((mdev, n) =>
      buildGuest({ uuid: uuidOf(20 + n), name: `train-${n}`, mdevs: [mdev.uuid] }),
    ),
    novaConfig: novaConf(
      `[devices]\nenabled_mdev_types = nvidia-474,nvidia-476\n[mdev_nvidia-474]\ndevice_addresses = ${functions
        .slice(0, 3)
        .join(',')},${vfOf('0000:21:00.0', 4)}\n[mdev_nvidia-476]\ndevice_addresses = ${functions[3]}`,
    ),
    nvidiaSmi: {
      driverVersion: '535.161.05',
      gpus: [
        {
          address: '0000:21:00.0',
          name: 'NVIDIA A100-PCIE-40GB',
          uuid: null,
          framebufferMib: 40960,
          migMode: 'enabled',
          heterogeneousMode: 'disabled',
          vgpus: [],
        },
      ],
    },
  })
}
