import { expect, test, vi } from 'vitest'
import { scanFixture } from '@/agent/testing/scan-fixture'
import { gvtgHost } from '@/simulator/fixtures/gvtg-host'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { mttyHost } from '@/simulator/fixtures/mtty-host'
import { novaDocumentHost, novaDocumentOldNamesHost } from '@/simulator/fixtures/nova-document-host'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'

vi.setConfig({ testTimeout: 60_000 })

/** As printed in the article: id and description. */
const T4_TYPES = `
nvidia-222 num_heads=4, frl_config=45, framebuffer=1024M, max_resolution=5120x2880, max_instance=16
nvidia-223 num_heads=4, frl_config=45, framebuffer=2048M, max_resolution=5120x2880, max_instance=8
nvidia-224 num_heads=4, frl_config=45, framebuffer=2048M, max_resolution=5120x2880, max_instance=8
nvidia-225 num_heads=1, frl_config=60, framebuffer=1024M, max_resolution=1280x1024, max_instance=16
nvidia-226 num_heads=1, frl_config=60, framebuffer=2048M, max_resolution=1280x1024, max_instance=8
nvidia-227 num_heads=1, frl_config=60, framebuffer=4096M, max_resolution=1280x1024, max_instance=4
nvidia-228 num_heads=1, frl_config=60, framebuffer=8192M, max_resolution=1280x1024, max_instance=2
nvidia-229 num_heads=1, frl_config=60, framebuffer=16384M, max_resolution=1280x1024, max_instance=1
nvidia-230 num_heads=4, frl_config=60, framebuffer=1024M, max_resolution=5120x2880, max_instance=16
nvidia-231 num_heads=4, frl_config=60, framebuffer=2048M, max_resolution=7680x4320, max_instance=8
nvidia-232 num_heads=4, frl_config=60, framebuffer=4096M, max_resolution=7680x4320, max_instance=4
nvidia-233 num_heads=4, frl_config=60, framebuffer=8192M, max_resolution=7680x4320, max_instance=2
nvidia-234 num_heads=4, frl_config=60, framebuffer=16384M, max_resolution=7680x4320, max_instance=1
nvidia-252 num_heads=4, frl_config=45, framebuffer=1024M, max_resolution=5120x2880, max_instance=16
nvidia-319 num_heads=1, frl_config=60, framebuffer=4096M, max_resolution=4096x2160, max_instance=4
nvidia-320 num_heads=1, frl_config=60, framebuffer=8192M, max_resolution=4096x2160, max_instance=2
nvidia-321 num_heads=1, frl_config=60, framebuffer=16384M, max_resolution=4096x2160, max_instance=1
`
  .trim()
  .split('\n')

const T4_ADDRESSES = [
  '0000:18:00.0',
  '0000:19:00.0',
  '0000:35:00.0',
  '0000:36:00.0',
  '0000:e7:00.0',
  '0000:e8:00.0',
  '0000:f4:00.0',
  '0000:f5:00.0',
]

test('the T4 host of the article: 8 pGPUs, 17 types with their descriptions, one GRID T4-16C in use', async () => {
  const inventory = await scanFixture(t4SeedHost)
  expect(inventory.vgpuTypes.map(({ typeId, description }) => `${typeId} ${description}`)).toEqual(T4_TYPES)
  expect(inventory.gpus.map(({ address }) => address)).toEqual(T4_ADDRESSES)
  for (const gpu of inventory.gpus) {
    expect(gpu).toMatchObject({
      classCode: '030200',
      vendorId: '10de',
      deviceId: '1eb8',
      modelName: 'Tesla T4',
      driver: 'nvidia',
      numaNode: gpu.address < '0000:80' ? 0 : 1,
      sriov: null,
      virtualFunctions: [],
      vendorVfio: null,
    })
    const inUse = gpu.address === '0000:f4:00.0'
    const free = T4_TYPES.map((line, index) => [index, Number(/max_instance=(\d+)/.exec(line)?.[1])])
    expect(gpu.mdevTypes).toEqual(inUse ? free.map(([index]) => [index, 0]) : free)
  }
  const [mdev] = inventory.mdevs ?? []
  expect(inventory.mdevs).toEqual([
    { uuid: mdev?.uuid, parent: '0000:f4:00.0', typeId: 'nvidia-321', isActive: true, definition: null },
  ])
  expect(inventory.guests).toEqual([
    {
      uuid: 'dcae1f0a-2f0d-4f53-8a3e-4b1c6c1d9e77',
      name: 'instance-00000004',
      state: 'running',
      livePath: '/run/libvirt/qemu/instance-00000004.xml',
      persistentPath: '/etc/libvirt/qemu/instance-00000004.xml',
      nova: {
        serverName: 'test-vgpu',
        flavorName: 'vgpu_1',
        projectId: '1471d08833d141c583b5f04344476ebd',
        projectName: 'admin',
        userId: '05801b24b6ec4cd495c560b673a7e051',
        userName: 'admin',
      },
      mdevs: [{ uuid: mdev?.uuid, isLive: true, isPersistent: true }],
      pciDevices: [],
    },
  ])
  expect(inventory.problems).toEqual([])
})

test('nvidia-smi’s 8-digit upper-case addresses are those of sysfs', async () => {
  const { nvidiaSmi, mdevs } = await scanFixture(t4SeedHost)
  expect(nvidiaSmi?.gpus.map(({ address }) => address)).toEqual(T4_ADDRESSES)
  expect(
    nvidiaSmi?.gpus.flatMap(({ address, vgpus }) => vgpus.map((vgpu) => ({ address, ...vgpu }))),
  ).toEqual([
    {
      address: '0000:f4:00.0',
      vgpuId: expect.stringMatching(/^\d+$/),
      guestUuid: 'dcae1f0a-2f0d-4f53-8a3e-4b1c6c1d9e77',
      guestName: 'instance-00000004',
      typeName: 'GRID T4-16C',
      mdevUuid: mdevs?.[0]?.uuid,
      licenseStatus: 'Licensed',
      guestDriverVersion: '550.54.15',
    },
  ])
})

test('the facts of the host itself', async () => {
  expect((await scanFixture(t4SeedHost)).host).toEqual({
    name: 'ip-172-31-12-209',
    osName: 'Ubuntu 18.04.6 LTS',
    novaApi: null,
    kernel: '5.4.0-1055-aws',
    libvirtVersion: '6.0.0',
    qemuVersion: '4.2.1',
    nvidiaDriverVersion: '470.63',
    novaCompute: null,
    novaUnit: null,
    numaNodes: [
      { id: 0, cpus: '0-23,48-71', memoryMib: 191_500 },
      { id: 1, cpus: '24-47,72-95', memoryMib: 191_900 },
    ],
  })
})

const options = (inventory: Awaited<ReturnType<typeof scanFixture>>) =>
  inventory.novaConfig?.options.map(({ section, name, value }) => `[${section}] ${name} = ${value}`)

test('the four pGPUs of Nova’s document: nvidia-35 to nvidia-45, two types by address', async () => {
  const inventory = await scanFixture(novaDocumentHost)
  const cards = inventory.gpus.filter(({ vendorId }) => vendorId === '10de')
  expect(cards.map(({ address }) => address)).toEqual([
    '0000:84:00.0',
    '0000:85:00.0',
    '0000:86:00.0',
    '0000:87:00.0',
  ])
  const ids = Array.from({ length: 11 }, (_, index) => `nvidia-${35 + index}`)
  expect(inventory.vgpuTypes.map(({ typeId }) => typeId)).toEqual(ids)
  for (const card of cards)
    expect(card.mdevTypes?.map(([index]) => index)).toEqual(ids.map((_, index) => index))
  expect(options(inventory)).toEqual([
    '[DEFAULT] host = virtlab606',
    '[DEFAULT] reserved_host_memory_mb = 8192',
    '[libvirt] virt_type = kvm',
    '[devices] enabled_mdev_types = nvidia-35, nvidia-36',
    '[mdev_nvidia-35] device_addresses = 0000:84:00.0,0000:85:00.0',
    '[mdev_nvidia-36] device_addresses = 0000:86:00.0',
  ])
  const parents = new Map(inventory.mdevs?.map(({ uuid, parent }) => [uuid, parent]))
  const held = inventory.guests?.map(({ nova, mdevs }) => [
    nova?.serverName,
    parents.get(mdevs[0]?.uuid ?? ''),
  ])
  expect(held?.sort()).toEqual([
    ['vgpu1', '0000:85:00.0'],
    ['vgpu2', '0000:84:00.0'],
  ])
})

test('the names before Xena are sent as they are written', async () => {
  expect(options(await scanFixture(novaDocumentOldNamesHost))?.slice(3)).toEqual([
    '[devices] enabled_vgpu_types = nvidia-35, nvidia-36',
    '[vgpu_nvidia-35] device_addresses = 0000:84:00.0,0000:85:00.0',
    '[vgpu_nvidia-36] device_addresses = 0000:86:00.0',
  ])
})

test('Intel GVT-g: a description of several lines is reported unchanged', async () => {
  const inventory = await scanFixture(gvtgHost)
  expect(inventory.vgpuTypes.map(({ typeId }) => typeId)).toEqual([
    'i915-GVTg_V5_1',
    'i915-GVTg_V5_2',
    'i915-GVTg_V5_4',
    'i915-GVTg_V5_8',
  ])
  expect(inventory.vgpuTypes[2]).toEqual({
    typeId: 'i915-GVTg_V5_4',
    name: 'GVTg_V5_4',
    description: 'low_gm_size: 128MB\nhigh_gm_size: 512MB\nfence: 4\nresolution: 1920x1200\nweight: 4',
    deviceApi: 'vfio-pci',
  })
  expect(inventory.gpus).toHaveLength(1)
  expect(inventory.gpus[0]).toMatchObject({
    address: '0000:00:02.0',
    vendorId: '8086',
    driver: 'i915',
    numaNode: null,
  })
  expect(inventory.gpus[0]?.mdevTypes?.[0]).toEqual([0, 0])
  expect(inventory.problems).toEqual([])
})

test('mtty: a parent without a PCI device, types without a description', async () => {
  const inventory = await scanFixture(mttyHost)
  expect(inventory.gpus.map(({ address, classCode, vendorId }) => [address, classCode, vendorId])).toEqual([
    ['mtty', null, null],
  ])
  expect(inventory.vgpuTypes).toEqual([
    { typeId: 'mtty-1', name: 'Single port serial', description: null, deviceApi: 'vfio-pci' },
    { typeId: 'mtty-2', name: 'Dual port serial', description: null, deviceApi: 'vfio-pci' },
  ])
  expect(inventory.gpus[0]?.mdevTypes).toEqual([
    [0, 22],
    [1, 11],
  ])
  expect(inventory.mdevs?.map(({ parent, typeId }) => [parent, typeId])).toEqual([['mtty', 'mtty-2']])
  expect(inventory.problems).toEqual([])
})

test('Kolla: nova.conf in /etc/kolla, guests in the volume, one of them shut off with its mdev', async () => {
  const inventory = await scanFixture(kollaHost)
  expect([inventory.novaConfig?.deployment, inventory.novaConfig?.files]).toEqual([
    'kolla',
    ['/etc/kolla/nova-compute/nova.conf'],
  ])
  const volume = '/var/lib/docker/volumes/nova_libvirt_qemu/_data'
  const guests = inventory.guests?.map(({ state, livePath, persistentPath, mdevs }) => ({
    state,
    livePath,
    persistentPath,
    mdev: mdevs.map(({ isLive, isPersistent }) => [isLive, isPersistent]),
  }))
  expect(guests?.sort((a, b) => (a.state < b.state ? -1 : 1))).toEqual([
    {
      state: 'running',
      livePath: '/run/libvirt/qemu/instance-00000090.xml',
      persistentPath: `${volume}/instance-00000090.xml`,
      mdev: [[true, true]],
    },
    {
      state: 'shutoff',
      livePath: null,
      persistentPath: `${volume}/instance-00000091.xml`,
      mdev: [[false, true]],
    },
  ])
  expect(inventory.problems).toEqual([])
})
