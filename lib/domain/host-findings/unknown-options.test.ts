import { expect, test } from 'vitest'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'

const found = (conf: string) =>
  sentencesOf(buildInventory({ cards: [], novaConfig: novaConf(conf) }), 'unknown-options')

test('invented options (bigstack-oss/cubecos#813)', () => {
  const conf = [
    '[devices]',
    'vgpu_nvidia-105_resource_class = CUSTOM_V100_16Q',
    '[libvirt]',
    'vgpu_nvidia-105_pci_address = 0000:86:00.0',
    '[mdev_nvidia-105]',
    'resource_class = X',
  ]
  expect(found(conf.join('\n'))).toEqual([
    'warning: nova.conf has 3 options for vGPUs that Nova does not have: [devices] vgpu_nvidia-105_resource_class, [libvirt] vgpu_nvidia-105_pci_address and [mdev_nvidia-105] resource_class',
  ])
})

test.each(['mdev-nvidia-105', 'vgpu nvidia-105', 'nvidia-105'])(
  'the section [%s] is none of Nova',
  (section) => {
    const conf = `[devices]\nenabled_mdev_types = nvidia-105\n[${section}]\ndevice_addresses = 0000:86:00.0`
    expect(found(conf)).toEqual([
      `warning: nova.conf has 1 option for vGPUs that Nova does not have: [${section}] device_addresses`,
    ])
  },
)

test('nothing about those that Nova has, old names too', () => {
  const conf =
    '[devices]\nenabled_vgpu_types = nvidia-105\n[vgpu_nvidia-105]\ndevice_addresses = 0000:86:00.0\n[mdev_nvidia-105]\nmdev_class = CUSTOM_A\nmax_instances = 2'
  expect(found(conf)).toEqual([])
})
