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
import { buildServer, inventoryOf, readPart } from '@/lib/domain/testing/build-cloud'
import { buildGuest, uuidOf } from '@/lib/domain/testing/build-inventory'
import { L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'

const CODE = 'allocation-differs'
const UUID = uuidOf(555)
const codes = (input: FleetFacts) => detect(input).findings.map(({ code }) => code)

/** VFs of an L40S through PCI in Placement. */
const withVfs = ({
  attached,
  allocated,
  requested = 1,
}: {
  attached: number
  allocated: number
  requested?: number
}): FleetFacts => {
  const guest = buildGuest({ uuid: UUID, name: 'instance-1', pciDevices: L40S_VFS.slice(0, attached) })
  const input = editGpuProviders(
    editHosts(l40sCloud({ typed: 3 }), (inventory) => ({ ...inventory, guests: [guest] })),
    (provider) => ({ ...provider, inventories: { CUSTOM_L40S_16Q: inventoryOf(3, allocated) } }),
  )
  const provider = input.facts.providers.value?.find(({ parentUuid }) => parentUuid !== null)
  return withFacts(input, {
    allocations: readPart([
      { consumerUuid: UUID, providerUuid: provider?.uuid ?? '', resources: { CUSTOM_L40S_16Q: allocated } },
    ]),
    servers: readPart([
      buildServer({
        uuid: UUID,
        host: 'hyper18',
        name: 'render-1',
        extraSpecs: { 'pci_passthrough:alias': `l40s-16q:${requested}` },
      }),
    ]),
  })
}

// Source: Launchpad 2098496 (alias:1, two VFs).
it('a guest with two VFs and an allocation of one', () => {
  expect(findOne(withVfs({ attached: 2, allocated: 1 }), CODE)).toMatchObject({
    severity: 'error',
    sentence: 'render-1 has 2 attached and 1 allocated',
    sourceToCorrect: 'libvirt',
  })
})

it('the reverse: two allocated, one attached', () => {
  expect(findOne(withVfs({ attached: 1, allocated: 2 }), CODE)).toMatchObject({
    severity: 'warning',
    sentence: 'render-1 has 1 attached and 2 allocated',
    sourceToCorrect: 'placement',
    consequence: 'Placement counts a device as used that the server does not have.',
  })
})

it('fewer attached than the flavor requests', () => {
  const { consequence } = findOne(withVfs({ attached: 1, allocated: 2, requested: 2 }), CODE)
  expect(consequence).toContain('fewer GPUs than its flavor requests')
})

it.each([
  ['2.100', true],
  ['2.104', false],
])('bug 2098496 is named on Nova %s: %s', (nova, isNamed) => {
  const input = withVfs({ attached: 2, allocated: 1 })
  const { nextStep } = findOne(withFacts(input, { versions: { ...input.facts.versions, nova } }), CODE)
  expect(nextStep.includes('2098496')).toBe(isNamed)
  expect(nextStep).not.toContain('1762688')
})

// Source: nova/virt/libvirt/driver.py _allocate_mdevs up to 2025.2: only the first allocation is looked up.
it.each([
  ['2.100', null, 'Request one larger vGPU'],
  ['2.103', expect.stringContaining('openstack server migrate'), 'Cold migrate'],
])('vGPUs of several groups on Nova %s', (nova, command, nextStep) => {
  const base = t4Cloud()
  const [server] = base.facts.servers.value ?? []
  const allocated = editList(base, 'allocations', (allocation) =>
    allocation.consumerUuid === server?.uuid ? { ...allocation, resources: { VGPU: 2 } } : allocation,
  )
  const extraSpecs = { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'none' }
  const input = editList(allocated, 'servers', (entry) =>
    entry.uuid === server?.uuid ? { ...entry, extraSpecs } : entry,
  )
  expect(findOne(withFacts(input, { versions: { ...input.facts.versions, nova } }), CODE)).toMatchObject({
    sentence: expect.stringContaining('has 1 attached and 2 allocated'),
    command,
    nextStep: expect.stringContaining(nextStep),
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
