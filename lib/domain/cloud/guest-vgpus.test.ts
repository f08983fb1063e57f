import { expect, test } from 'vitest'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { guestVgpus } from './guest-vgpus'
import { joinFleet } from './join-fleet'

const UUID = uuidOf(0x80_0000)

const vgpusOf = (edit: (inventory: Inventory) => Inventory) => {
  const [host] = joinFleet(editHosts(t4Cloud(), edit)).hosts
  return host === undefined ? undefined : guestVgpus(host, UUID)
}

test('a guest has the vGPUs of its mdevs, each with type and pGPU', () => {
  expect(vgpusOf((inventory) => inventory)).toEqual([
    { name: expect.stringMatching(/^mdev /), typeId: 'nvidia-319', address: expect.stringMatching(/^0000:/) },
  ])
})

test('a guest without mdevs has none', () => {
  const without = (inventory: Inventory): Inventory => ({
    ...inventory,
    guests: (inventory.guests ?? []).map((guest) => ({ ...guest, mdevs: [] })),
  })
  expect(vgpusOf(without)).toEqual([])
})

test('a guest that is not in the report yet, or whose mdev is not, is not known', () => {
  expect(vgpusOf((inventory) => ({ ...inventory, guests: [] }))).toBeNull()
  expect(vgpusOf((inventory) => ({ ...inventory, mdevs: [] }))).toBeNull()
})
