import * as nodeFs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import type { FileSystem } from './file-system'
import { collectGpus } from './gpus'
import { createMdevTypeReader } from './mdev-types'
import { createTypeTable } from './type-table'

const DEVICES = '/sys/devices/pci0000:40'

const device = (address: string, classCode = '0x030200', more: TreeContents = {}): TreeContents => ({
  [`/sys/bus/pci/devices/${address}`]: { link: `../../../devices/pci0000:40/${address}` },
  [`${DEVICES}/${address}/class`]: `${classCode}\n`,
  [`${DEVICES}/${address}/vendor`]: '0x10de\n',
  [`${DEVICES}/${address}/device`]: '0x1EB8\n',
  ...Object.fromEntries(
    Object.entries(more).map(([name, content]) => [`${DEVICES}/${address}/${name}`, content]),
  ),
})

const type = (id: string, files: Record<string, string>): TreeContents =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`mdev_supported_types/${id}/${name}`, `${text}\n`]),
  )

const collect = (contents: TreeContents, fs?: FileSystem) => {
  const { files, problems } = treeWith(contents, fs)
  const table = createTypeTable()
  const gpus = collectGpus({ files, problems, mdevTypes: createMdevTypeReader({ files, problems, table }) })
  return { gpus, types: table.types, problems }
}

test('classes 0300, 0302, 0380 and 1200 are GPUs, everything else is not', () => {
  const classes = [
    '0x030000',
    '0x030100',
    '0x030200',
    '0x038000',
    '0x040300',
    '0x120000',
    '0x020000',
    '0x060400',
  ]
  const { gpus, problems } = collect(
    Object.assign({}, ...classes.map((code, i) => device(`0000:0${i}:00.0`, code))),
  )
  expect(gpus.map(({ address, classCode }) => [address, classCode])).toEqual([
    ['0000:00:00.0', '030000'],
    ['0000:02:00.0', '030200'],
    ['0000:03:00.0', '038000'],
    ['0000:05:00.0', '120000'],
  ])
  expect(problems.list()).toEqual([])
})

test('a bare GPU: values that the kernel does not report are null', () => {
  expect(collect(device('0000:18:00.0')).gpus).toEqual([
    {
      address: '0000:18:00.0',
      classCode: '030200',
      vendorId: '10de',
      deviceId: '1eb8',
      subsystemVendorId: null,
      subsystemDeviceId: null,
      modelName: null,
      driver: null,
      numaNode: null,
      iommuGroup: null,
      iommuGroupMembers: [],
      iommuGroupDevices: [],
      sriov: null,
      virtualFunctions: [],
      mdevTypes: null,
      vendorVfio: null,
    },
  ])
})

test('driver, NUMA node, IOMMU group with its other members, model', () => {
  const { gpus } = collect({
    ...device('0000:a3:00.0', '0x030000', {
      driver: { link: '../../../bus/pci/drivers/vfio-pci' },
      numa_node: '1\n',
      iommu_group: { link: '../../../kernel/iommu_groups/66' },
      subsystem_vendor: '0x1002\n',
    }),
    '/sys/kernel/iommu_groups/66/devices/0000:a3:00.0': '',
    '/sys/kernel/iommu_groups/66/devices/0000:a3:00.1': '',
    '/proc/driver/nvidia/gpus/0000:a3:00.0/information': 'Model: \t\t Tesla T4\nIRQ:   \t\t 60\n',
    ...device('0000:a4:00.0', '0x030000', { numa_node: '-1\n' }),
  })
  expect(gpus[0]).toMatchObject({
    driver: 'vfio-pci',
    numaNode: 1,
    iommuGroup: 66,
    iommuGroupMembers: ['0000:a3:00.1'],
    subsystemVendorId: '1002',
    modelName: 'Tesla T4',
  })
  expect(gpus[1]?.numaNode).toBeNull()
})

describe('virtual functions', () => {
  const pf = device('0000:41:00.0', '0x030200', { sriov_totalvfs: '16\n', sriov_numvfs: '2\n' })
  const vf = (address: string, more: TreeContents = {}) =>
    device(address, '0x030200', { physfn: { link: '../0000:41:00.0' }, ...more })

  test('are listed below their PF, whether they are sliced or passed through', () => {
    const { gpus, problems } = collect({
      ...pf,
      ...vf('0000:41:00.5', { driver: { link: '../../../bus/pci/drivers/vfio-pci' } }),
      ...vf('0000:41:00.4', {
        'nvidia/current_vgpu_type': '1152\n',
        'nvidia/creatable_vgpu_types': 'ID    : vGPU Name\n1145  : NVIDIA L40S-1B\n\n',
      }),
    })
    expect(gpus).toHaveLength(1)
    expect(gpus[0]?.sriov).toEqual({ totalVfs: 16, enabledVfs: 2 })
    expect(gpus[0]?.virtualFunctions).toEqual([
      {
        address: '0000:41:00.4',
        driver: null,
        iommuGroup: null,
        mdevTypes: null,
        vendorVfio: { currentType: 1152, creatable: ['ID    : vGPU Name', '1145  : NVIDIA L40S-1B'] },
      },
      { address: '0000:41:00.5', driver: 'vfio-pci', iommuGroup: null, mdevTypes: null, vendorVfio: null },
    ])
    expect(problems.list()).toEqual([])
  })

  test('the product id of VFs is read once for a card', () => {
    const { gpus } = collect({
      ...pf,
      ...vf('0000:41:00.4', { device: '0x74b5\n' }),
      ...vf('0000:41:00.5', { device: '0x74b5\n' }),
    })
    expect(gpus[0]?.vfDeviceId).toBe('74b5')
    expect(collect(pf).gpus[0]?.vfDeviceId).toBeUndefined()
  })

  test('the GPU instance and the placement of a vGPU are read where they are set', () => {
    const idsOf = (instance: string, placement: string) =>
      collect({
        ...pf,
        ...vf('0000:41:00.4', {
          'nvidia/current_vgpu_type': '1551\n',
          'nvidia/creatable_vgpu_types': '',
          'nvidia/gpu_instance_id': instance,
          'nvidia/placement_id': placement,
        }),
      }).gpus[0]?.virtualFunctions[0]?.vendorVfio
    expect(idsOf('3\n', '8\n')).toMatchObject({ gpuInstanceId: 3, placementId: 8 })
    expect(idsOf('Unset\n', 'Unset\n')).toEqual({ currentType: 1551, creatable: [] })
    expect(idsOf('4294967295\n', '65535\n')).toEqual({ currentType: 1551, creatable: [] })
  })

  test('a VF without its PF is left out, with a problem', () => {
    const { gpus, problems } = collect(vf('0000:41:00.4'))
    expect(gpus).toEqual([])
    expect(problems.list().map(({ code, message }) => [code, message])).toEqual([
      [
        'dangling',
        '/sys/bus/pci/devices/0000:41:00.4 is a virtual function of 0000:41:00.0, which is not among the GPUs; it was left out.',
      ],
    ])
  })

  test('vendor VFIO that holds no number, or lacks a file', () => {
    const { gpus, problems } = collect({
      ...pf,
      ...vf('0000:41:00.4', { 'nvidia/current_vgpu_type': 'none\n' }),
    })
    expect(gpus[0]?.virtualFunctions[0]?.vendorVfio).toEqual({ currentType: null, creatable: null })
    expect(codesOf(problems)).toEqual([
      ['/sys/bus/pci/devices/0000:41:00.4/nvidia/current_vgpu_type', 'malformed'],
    ])
  })
})

describe('mdev types', () => {
  test('are in the order of their numbers; name and description may be missing; 0 is a number', () => {
    const { gpus, types } = collect(
      device('0000:18:00.0', '0x030200', {
        ...type('nvidia-222', {
          name: 'GRID T4-1B',
          description: 'num_heads=4',
          device_api: 'vfio-pci',
          available_instances: '0',
        }),
        ...type('nvidia-35', { device_api: 'vfio-pci', available_instances: '16' }),
        ...type('i915-GVTg_V5_4', { description: 'low_gm_size: 128MB\nfence: 4', available_instances: '1' }),
      }),
    )
    expect(types).toEqual([
      { typeId: 'i915-GVTg_V5_4', name: null, description: 'low_gm_size: 128MB\nfence: 4', deviceApi: null },
      { typeId: 'nvidia-35', name: null, description: null, deviceApi: 'vfio-pci' },
      { typeId: 'nvidia-222', name: 'GRID T4-1B', description: 'num_heads=4', deviceApi: 'vfio-pci' },
    ])
    expect(gpus[0]?.mdevTypes).toEqual([
      [0, 1],
      [1, 16],
      [2, 0],
    ])
  })

  test('equal texts of two cards are listed once, different ones twice', () => {
    const wording = (description: string) => type('nvidia-35', { description, available_instances: '1' })
    const { gpus, types } = collect({
      ...device('0000:18:00.0', '0x030200', wording('max_instance=16')),
      ...device('0000:19:00.0', '0x030200', wording('max_instance=16')),
      ...device('0000:1a:00.0', '0x030200', wording('max_instance=32')),
    })
    expect(types.map(({ description }) => description)).toEqual(['max_instance=16', 'max_instance=32'])
    expect(gpus.map(({ mdevTypes }) => mdevTypes)).toEqual([[[0, 1]], [[0, 1]], [[1, 1]]])
  })

  test('an availability that is no number, or vanished, is null', () => {
    const { gpus, problems } = collect(
      device('0000:18:00.0', '0x030200', {
        ...type('nvidia-1', { available_instances: 'plenty' }),
        ...type('nvidia-2', { available_instances: '-1' }),
        ...type('nvidia-3', { name: 'x' }),
      }),
    )
    expect(gpus[0]?.mdevTypes?.map(([, available]) => available)).toEqual([null, null, null])
    expect(problems.list().map(({ code }) => code)).toEqual(['malformed', 'malformed', 'vanished'])
  })
})

describe('parents without a PCI device', () => {
  test('mtty, but no hardware that the bus lists too', () => {
    const { gpus, types } = collect({
      '/sys/class/mdev_bus/mtty': { link: '../../devices/virtual/mtty/mtty' },
      '/sys/devices/virtual/mtty/mtty/mdev_supported_types/mtty-2/name': 'Dual port serial\n',
      '/sys/devices/virtual/mtty/mtty/mdev_supported_types/mtty-2/available_instances': '12\n',
      '/sys/class/mdev_bus/0000:18:00.0': { link: '../../devices/pci0000:40/0000:18:00.0' },
      '/sys/class/mdev_bus/0.0.1a2b': { link: '../../devices/css0/0.0.1a2b' },
      ...device('0000:18:00.0', '0x0b4000'),
    })
    expect(gpus.map(({ address, classCode, mdevTypes }) => [address, classCode, mdevTypes])).toEqual([
      ['mtty', null, [[0, 12]]],
    ])
    expect(types).toEqual([
      { typeId: 'mtty-2', name: 'Dual port serial', description: null, deviceApi: null },
    ])
  })

  test('a name outside the contract is left out', () => {
    const { gpus, problems } = collect({ '/sys/class/mdev_bus/Odd Name/x': '', '/sys/bus/x': '' })
    expect([gpus, codesOf(problems)]).toEqual([[], [['/sys/class/mdev_bus', 'odd-name']]])
  })
})

describe('trouble', () => {
  test('a GPU in a domain beyond 4 digits has no place, other devices there are no matter', () => {
    const { gpus, problems } = collect({
      ...device('10000:e1:00.0'),
      ...device('10000:e2:00.0', '0x010802'),
      ...device('0000:18:00.0'),
    })
    expect(gpus.map(({ address }) => address)).toEqual(['0000:18:00.0'])
    expect(codesOf(problems)).toEqual([['/sys/bus/pci/devices/10000:e1:00.0', 'odd-name']])
  })

  test('a dangling device link and a GPU that vanishes between listing and reading', () => {
    const removing: FileSystem = {
      ...nodeFs,
      readdirSync: ((at: string, options: never) => {
        const names = nodeFs.readdirSync(at, options)
        if (at.endsWith('/sys/bus/pci/devices')) nodeFs.rmSync(path.join(at, '0000:19:00.0'))
        return names
      }) as typeof nodeFs.readdirSync,
    }
    const { gpus, problems } = collect(
      {
        ...device('0000:18:00.0'),
        ...device('0000:19:00.0'),
        '/sys/bus/pci/devices/0000:d8:00.0': { link: '../../../devices/pci0000:d7/0000:d8:00.0' },
      },
      removing,
    )
    expect(gpus.map(({ address }) => address)).toEqual(['0000:18:00.0'])
    expect(codesOf(problems)).toEqual([
      ['/sys/bus/pci/devices/0000:19:00.0/class', 'vanished'],
      ['/sys/bus/pci/devices/0000:d8:00.0', 'dangling'],
    ])
  })

  test('PCI devices without the folder that lists them are a problem, a machine without any is not', () => {
    const { gpus, problems } = collect({
      '/sys/devices/pci0000:17/0000:17:00.0/class': '0x030200',
      '/sys/bus/cpu/uevent': '',
    })
    expect(gpus).toEqual([])
    expect(codesOf(problems)).toEqual([['/sys/bus/pci/devices', 'incomplete']])
    expect(collect({ '/sys/bus/cpu/uevent': '' }).problems.list()).toEqual([])
  })

  test('no sysfs at all is a problem', () => {
    const { gpus, problems } = collect({ '/etc/hostname': 'x' })
    expect(gpus).toEqual([])
    expect(problems.list()).toEqual([
      {
        source: '/sys',
        code: 'incomplete',
        message: 'There is no sysfs here, so the GPUs are unknown; check --root.',
      },
    ])
  })
})
