import { describe, expect, test } from 'vitest'
import {
  buildGuest,
  buildInventory,
  buildMdev,
  type CardSpec,
  novaConf,
  uuidOf,
} from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import { describeHost } from './describe-host'

describe('mdev parents that are no GPUs', () => {
  const none = {
    vendorId: null,
    deviceId: null,
    classCode: null,
    subsystemVendorId: null,
    subsystemDeviceId: null,
    driver: null,
  }

  /** kernel, Documentation/arch/s390/vfio-ap.rst: 65,536 mdevs of the parent `matrix`. */
  const s390 = (deviceApi: string | null) => {
    const parent: CardSpec = {
      ...none,
      address: 'matrix',
      offers: [
        {
          typeId: 'vfio_ap-passthrough',
          name: 'VFIO AP Passthrough Device',
          description: null,
          available: 65_535,
        },
      ],
    }
    const built = buildInventory({
      cards: [parent],
      mdevs: [buildMdev({ uuid: uuidOf(1), parent: 'matrix', typeId: 'vfio_ap-passthrough' })],
    })
    return { ...built, vgpuTypes: built.vgpuTypes.map((type) => ({ ...type, deviceApi })) }
  }

  test.each([['vfio-ap'], [null]])(
    'are no pGPUs, and their mdevs no orphans (device_api %s)',
    (deviceApi) => {
      const inventory = s390(deviceApi)
      const { pgpus, mdevs } = describeHost(inventory)
      expect([pgpus, mdevs?.map(({ state }) => state)]).toEqual([[], ['unknown']])
      expect(sentencesOf(inventory, 'mdev-parent-not-gpu')).toEqual([
        'info: 1 mdev parent is not a GPU: matrix',
      ])
      expect(sentencesOf(inventory, 'orphan-mdevs')).toEqual([])
    },
  )

  test('of PCI devices are, with a bounded number of cells', () => {
    const inventory = s390('vfio-pci')
    expect(describeHost(inventory).pgpus.map(({ cells }) => cells.length)).toEqual([256])
  })
})

describe('accelerators of other vendors', () => {
  const dcu: CardSpec = {
    address: '0000:19:00.0',
    vendorId: '1d94',
    deviceId: '55b7',
    classCode: '038000',
    driver: 'vfio-pci',
  }
  const shown = (spec: string) =>
    describeHost(
      buildInventory({
        cards: [dcu],
        guests: [buildGuest({ uuid: uuidOf(9), name: 'instance-00000001', pciDevices: [dcu.address] })],
        novaConfig: novaConf(`[pci]\ndevice_spec = ${spec}`),
      }),
    ).pgpus.map(({ framework, numbers }) => [framework, numbers.capacity.value, numbers.used.value])

  test.each([['{"vendor_id": "1d94", "product_id": "55b7"}'], ['{"address": "0000:19:00.0"}']])(
    'are shown where Nova assigns them: %s',
    (spec) => {
      expect(shown(spec)).toEqual([['passthrough', 1, 1]])
    },
  )

  test.each([['{"vendor_id": "10de"}'], ['{}']])('and not otherwise: %s', (spec) => {
    expect(shown(spec)).toEqual([])
    const inventory = buildInventory({ cards: [dcu], novaConfig: novaConf(`[pci]\ndevice_spec = ${spec}`) })
    expect(sentencesOf(inventory, 'accelerator-not-covered')).toEqual([
      'info: 1 accelerator is not covered: 0000:19:00.0 (1d94:55b7)',
    ])
  })
})
