import { expect, test } from 'vitest'
import { readNovaView } from '@/lib/domain/nova-config/nova-view'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { expectedParents, expectedTotal } from './expected-providers'

const offers = ['nvidia-1', 'nvidia-2'].map((typeId) => ({
  typeId,
  name: null,
  description: null,
  available: 4,
}))

// nova/virt/libvirt/driver.py _get_gpu_inventories counts the vGPUs of each type.
test('max_instances of one type does not bound the VFs of another', () => {
  const functions = ['0000:c8:00.4', '0000:c8:00.5'].map((address) => ({ address, offers }))
  const inventory = buildInventory({
    cards: [{ address: '0000:c8:00.0', functions }],
    novaConfig: novaConf(`[devices]
enabled_mdev_types = nvidia-1, nvidia-2
[mdev_nvidia-1]
device_addresses = 0000:c8:00.4
max_instances = 3
[mdev_nvidia-2]
device_addresses = 0000:c8:00.5`),
  })
  const parents = expectedParents({ host: { inventory }, nova: readNovaView(inventory) }, '0000:c8:00.0')
  expect(expectedTotal(parents)).toMatchObject({ value: 7, isBound: true })
})
