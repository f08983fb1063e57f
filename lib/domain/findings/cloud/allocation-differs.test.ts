import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import {
  detect,
  editGpuProviders,
  editHosts,
  editList,
  findOne,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { buildServer, inventoryOf, spoken } from '@/lib/domain/testing/build-cloud'
import { buildGuest, uuidOf } from '@/lib/domain/testing/build-inventory'
import { L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'

const CODE = 'allocation-differs'
const UUID = uuidOf(555)
const codes = (input: FleetFacts) => detect(input).findings.map(({ code }) => code)

/** VFs of an L40S through PCI in Placement. */
const withVfs = ({ attached, allocated }: { attached: number; allocated: number }): FleetFacts => {
  const guest = buildGuest({ uuid: UUID, name: 'instance-1', pciDevices: L40S_VFS.slice(0, attached) })
  const input = editGpuProviders(
    editHosts(l40sCloud({ typed: 3 }), (inventory) => ({ ...inventory, guests: [guest] })),
    (provider) => ({ ...provider, inventories: { CUSTOM_L40S_16Q: inventoryOf(3, allocated) } }),
  )
  const provider = input.facts.providers.value?.find(({ parentUuid }) => parentUuid !== null)
  return withFacts(input, {
    allocations: spoken([
      { consumerUuid: UUID, providerUuid: provider?.uuid ?? '', resources: { CUSTOM_L40S_16Q: allocated } },
    ]),
    servers: spoken([
      buildServer({
        uuid: UUID,
        host: 'hyper18',
        name: 'render-1',
        extraSpecs: { 'pci_passthrough:alias': 'l40s-16q:1' },
      }),
    ]),
  })
}

// Source: Launchpad 2098496 (alias:1, two VFs), 1762688 (rescue race).
it('a guest with two VFs and an allocation of one', () => {
  expect(findOne(withVfs({ attached: 2, allocated: 1 }), CODE)).toMatchObject({
    severity: 'error',
    sentence: 'render-1 has 2 attached and 1 allocated',
    blame: 'libvirt',
  })
})

it('the reverse: two allocated, one attached', () => {
  expect(findOne(withVfs({ attached: 1, allocated: 2 }), CODE)).toMatchObject({
    severity: 'warning',
    sentence: 'render-1 has 1 attached and 2 allocated',
    blame: 'placement',
  })
})

it('equal numbers are no finding', () => {
  expect(codes(withVfs({ attached: 2, allocated: 2 }))).not.toContain(CODE)
})

it('a guest with two mdevs and an allocation of one, unless it moves or the report is behind', () => {
  const base = t4Cloud()
  const spare = base.hosts[0]?.inventory.mdevs?.[2]?.uuid ?? ''
  const withMdev = (uuid: string) =>
    editHosts(base, (inventory) => ({
      ...inventory,
      guests: (inventory.guests ?? []).map((guest, n) =>
        n === 0 ? { ...guest, mdevs: [...guest.mdevs, { uuid, isLive: true, isPersistent: true }] } : guest,
      ),
    }))
  const two = withMdev(spare)
  expect(findOne(two, CODE).sentence).toContain('has 2 attached and 1 allocated')
  const moving = editList(two, 'servers', (server) => ({ ...server, taskState: 'rebooting' }))
  expect(codes(moving)).not.toContain(CODE)
  expect(codes(withMdev(uuidOf(4242)))).not.toContain(CODE)
})
