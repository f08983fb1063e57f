import { expect, test, vi } from 'vitest'
import { scanFixture } from '@/agent/testing/scan-fixture'
import { amdIntelHost } from '@/simulator/fixtures/amd-intel-host'
import { k40cPassthroughHost } from '@/simulator/fixtures/k40c-passthrough-host'
import { splitConfigHost } from '@/simulator/fixtures/split-config-host'

vi.setConfig({ testTimeout: 60_000 })

test('a Tesla K40c 10de:1024 on vfio-pci, with the options’ old names', async () => {
  const inventory = await scanFixture(k40cPassthroughHost)
  expect(inventory.gpus.find(({ address }) => address === '0000:86:00.0')).toMatchObject({
    classCode: '030200',
    vendorId: '10de',
    deviceId: '1024',
    subsystemDeviceId: '0983',
    modelName: null,
    driver: 'vfio-pci',
    numaNode: 1,
    iommuGroup: 42,
    iommuGroupMembers: [],
    mdevTypes: null,
    vendorVfio: null,
  })
  expect(inventory.novaConfig?.options).toEqual(
    [
      ['vcpu_pin_set', '0-22', 3],
      ['reserved_host_memory_mb', '4096', 4],
      ['pci_passthrough_whitelist', '[{"vendor_id": "10de", "product_id":"1024"}]', 5],
      ['pci_alias', '{"vendor_id": "10de", "product_id":"1024", "device_type":"type-PCI", "name":"gpu"}', 6],
    ].map(([name, value, line]) => ({ section: 'DEFAULT', name, value, file: '/etc/nova/nova.conf', line })),
  )
  expect(inventory.guests).toEqual([
    expect.objectContaining({
      uuid: '8db03eb8-666a-4839-ace7-e156fae30937',
      name: 'instance-00000ee0',
      nova: expect.objectContaining({ serverName: 'GPU', flavorName: 'g1.gpu', userName: 'ahmed' }),
      pciDevices: [{ address: '0000:86:00.0', isLive: true, isPersistent: true }],
    }),
  ])
  expect(inventory.nvidiaSmi).toBeNull()
  expect(inventory.problems).toEqual([])
})

test('AMD and Intel GPUs that can only be passed through', async () => {
  const inventory = await scanFixture(amdIntelHost)
  const cards = inventory.gpus.filter(({ driver }) => driver !== 'ast')
  expect(
    cards.map(({ address, classCode, vendorId, deviceId, driver }) => [
      address,
      classCode,
      vendorId,
      deviceId,
      driver,
    ]),
  ).toEqual([
    ['0000:63:00.0', '120000', '1002', '740f', 'vfio-pci'],
    ['0000:9a:00.0', '038000', '8086', '56c0', 'i915'],
    ['0000:a3:00.0', '030000', '1002', '745e', 'vfio-pci'],
    ['0000:e3:00.0', '120000', '1002', '740f', 'vfio-pci'],
  ])
  expect(
    cards.every(
      ({ mdevTypes, vendorVfio, sriov }) => mdevTypes === null && vendorVfio === null && sriov === null,
    ),
  ).toBe(true)
  // The sound device of the third card shares its IOMMU group.
  expect(cards.map(({ iommuGroupMembers }) => iommuGroupMembers)).toEqual([[], [], ['0000:a3:00.1'], []])
  expect(inventory.mdevs).toEqual([])
})

test('nova.conf over several files: order, overrides, continuation lines, several values, comments', async () => {
  const { novaConfig, problems } = await scanFixture(splitConfigHost)
  expect([novaConfig?.deployment, novaConfig?.files]).toEqual([
    'package',
    [
      '/etc/nova/nova.conf',
      '/etc/nova/nova-compute.conf',
      '/etc/nova/nova.conf.d/10-devices.conf',
      '/etc/nova/nova.conf.d/20-mdev.conf',
    ],
  ])
  const lines = novaConfig?.options.map(
    ({ section, name, value, file, line }) =>
      `${file.slice(9)}:${line} [${section}] ${name} = ${JSON.stringify(value)}`,
  )
  expect(lines).toContain('/nova.conf:6 [devices] enabled_mdev_types = "nvidia-223"')
  expect(lines).toContain('/nova-compute.conf:6 [compute] cpu_dedicated_set = "16-47,\\n64-95"')
  expect(lines).toContain(
    '/nova.conf.d/10-devices.conf:3 [devices] enabled_mdev_types = "nvidia-230,\\nnvidia-233 , nvidia-231"',
  )
  expect(lines).toContain('/nova.conf.d/20-mdev.conf:2 [mdev_nvidia-233] device_addresses = "0000:AF:00.0"')
  const specs = novaConfig?.options.filter(({ name }) => name === 'device_spec')
  expect(specs?.map(({ value }) => JSON.parse(value).vendor_id)).toEqual(['10de', '15b3'])
  const alias = novaConfig?.options.find(({ name }) => name === 'alias')
  expect(JSON.parse(alias?.value ?? '')).toMatchObject({ name: 'cx6', device_type: 'type-VF' })
  expect(lines?.some((line) => line.includes('nvidia-999'))).toBe(false)
  expect(problems).toEqual([])
})
