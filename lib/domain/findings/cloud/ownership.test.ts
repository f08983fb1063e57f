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
import { buildFlavor, inventoryOf, readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { l40sCloud } from '@/lib/domain/testing/l40s-cloud'

const codes = (input: FleetFacts) => detect(input).findings.map(({ code }) => code)
const withTraits = (traits: string[], at: (position: number) => boolean = () => true, input = t4Cloud()) =>
  editGpuProviders(input, (provider, position) =>
    at(position) ? { ...provider, traits: [...(provider.traits ?? []), ...traits] } : provider,
  )
const twoHosts = () =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false },
  ])

// Source: os-traits OWNER_CYBORG; Cyborg's specification of vGPUs (2026.2).
it('devices of Cyborg are named, and its mdevs are no orphans', () => {
  const orphan = editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    mdevs: (inventory.mdevs ?? []).map((mdev, n) => (n === 2 ? { ...mdev, typeId: 'nvidia-231' } : mdev)),
  }))
  expect(codes(orphan)).toContain('orphan-mdevs')
  const input = withTraits(['OWNER_CYBORG'], () => true, orphan)
  expect(findOne(input, 'devices-of-cyborg').sentence).toBe('Cyborg manages 1 resource provider of this host')
  expect(codes(input)).not.toContain('orphan-mdevs')
})

it('mdevs of a card that Nova owns are orphans, although Cyborg owns another card of the host', () => {
  const base = buildHealthyCloud([
    {
      cards: [
        { kind: 'T4', used: 1, spare: 1 },
        { kind: 'T4', used: 1, spare: 1 },
      ],
      hasDomain: false,
    },
  ])
  const orphans = editHosts(base, (inventory) => ({
    ...inventory,
    mdevs: (inventory.mdevs ?? []).map((mdev, n) => (n % 2 === 1 ? { ...mdev, typeId: 'nvidia-231' } : mdev)),
  }))
  expect(codes(orphans).filter((code) => code === 'orphan-mdevs')).toHaveLength(2)
  const mixed = withTraits(['OWNER_CYBORG'], (position) => position === 1, orphans)
  expect(findOne(mixed, 'orphan-mdevs').subject).toMatchObject({ kind: 'pgpu', address: '0000:21:00.0' })
})

/** Compute nodes get the trait. */
const withOwnedRoots = (input: FleetFacts, isOwned: (name: string) => boolean = () => true) =>
  editList(input, 'providers', (provider) =>
    provider.parentUuid === null && isOwned(provider.name)
      ? { ...provider, traits: [...(provider.traits ?? []), 'OWNER_NOVA'] }
      : provider,
  )

// Source: nova/scheduler/request_filter.py owner_nova_filter: root_required and the groups of PCI aliases.
it('a compute node without OWNER_NOVA where others have it', () => {
  expect(
    findOne(
      withOwnedRoots(twoHosts(), (name) => name === 'cmp-1'),
      'provider-without-owner',
    ),
  ).toMatchObject({
    subject: { kind: 'host', host: 'cmp-2' },
    sentence: '1 resource provider lacks OWNER_NOVA',
  })
  expect(codes(twoHosts())).not.toContain('provider-without-owner')
  expect(codes(withOwnedRoots(twoHosts()))).not.toContain('provider-without-owner')
})

it.each([
  ['2.93', null],
  ['2.104', 'systemctl restart nova-compute'],
])('with Nova %s, the command for a missing OWNER_NOVA is %s', (nova, command) => {
  const base = withOwnedRoots(twoHosts(), (name) => name === 'cmp-1')
  const input = withFacts(base, { versions: { ...base.facts.versions, nova } })
  expect(findOne(input, 'provider-without-owner').command).toBe(command)
})

it('a PCI device without OWNER_NOVA where its compute node has it', () => {
  const input = withOwnedRoots(l40sCloud({ typed: 3 }))
  expect(JSON.stringify(findOne(input, 'provider-without-owner').evidence)).toContain(
    'no OWNER_NOVA on hyper18_0000:c8:00.0; other providers have it',
  )
  for (const owner of ['OWNER_NOVA', 'OWNER_CYBORG'])
    expect(codes(withTraits([owner], () => true, input))).not.toContain('provider-without-owner')
})

it('an mdev provider without OWNER_NOVA is no finding', () => {
  const mixed = withTraits(['OWNER_NOVA'], (position) => position < 2, withOwnedRoots(twoHosts()))
  expect(codes(mixed)).not.toContain('provider-without-owner')
})

// Source: Placement release note of bug 2126751: from 8 child providers and more than 4 resources of one class.
it.each<[number, number, boolean]>([
  [12, 5, true],
  [12, 4, false],
  [7, 5, false],
])('%i providers and a request of %i', (providers, amount, isFound) => {
  const base = buildHealthyCloud([{ cards: [{ kind: 'A40', used: 0, spare: 0 }], hasDomain: false }])
  const input = withFacts(
    editGpuProviders(base, (provider, position) => (position > providers ? null : provider)),
    { flavors: readPart([buildFlavor({ name: 'wide', extraSpecs: { 'resources:VGPU': String(amount) } })]) },
  )
  expect(codes(input).includes('wide-provider-tree')).toBe(isFound)
})

// Source: nova/conf/scheduler.py enabled_filters (default without PciPassthroughFilter and NUMATopologyFilter).
it('filters that no API exposes are named with the command that checks them', () => {
  expect(findOne(l40sCloud({ typed: 3 }), 'flavor-needs-filter')).toMatchObject({
    severity: 'info',
    sentence: 'cannot verify that the scheduler enables PciPassthroughFilter (for vgpu.l40s-16q)',
    command: "grep -A9 '^enabled_filters' /etc/nova/nova.conf",
  })
  const numa = editList(t4Cloud(), 'flavors', (flavor) => ({
    ...flavor,
    extraSpecs: { ...flavor.extraSpecs, 'hw:numa_nodes': '1' },
  }))
  expect(findOne(numa, 'flavor-needs-filter').sentence).toContain('NUMATopologyFilter (for vgpu-T4)')
  expect(codes(t4Cloud())).not.toContain('flavor-needs-filter')
})

// Source: nova/virt/hardware.py numa_get_constraints.
it.each<[string, string, boolean]>([
  ['hw:cpu_policy', 'dedicated', true],
  ['hw:cpu_policy', 'mixed', true],
  ['hw:cpu_policy', 'shared', false],
  ['hw:mem_page_size', 'large', true],
  ['hw:pmem', '16GB', true],
  ['resources:PCPU', '4', true],
  ['resources:VCPU', '4', false],
])('%s=%s creates a NUMA topology: %s', (key, value, isNeeded) => {
  const input = editList(t4Cloud(), 'flavors', (flavor) => ({
    ...flavor,
    extraSpecs: { ...flavor.extraSpecs, [key]: value },
  }))
  expect(codes(input).includes('flavor-needs-filter')).toBe(isNeeded)
})

// Source: nova doc/source/admin/virtual-gpu.rst "Live migration": post-copy must be off.
it.each([
  ['True', true],
  ['False', false],
])('live_migration_permit_post_copy = %s', (value, isFound) => {
  const input = editHosts(t4Cloud(), (inventory) => {
    const config = inventory.novaConfig
    const [option] = config?.options ?? []
    if (config === null || option === undefined) return inventory
    const postCopy = { ...option, section: 'libvirt', name: 'live_migration_permit_post_copy', value }
    return { ...inventory, novaConfig: { ...config, options: [...config.options, postCopy] } }
  })
  expect(codes(input).includes('post-copy-with-vgpus')).toBe(isFound)
})

// Source: nova/pci/manager.py PciDevTracker: an allocated device is kept until it is free.
it.each([
  [0, 'error', 'placement', 'systemctl restart openstack-nova-compute'],
  [1, 'warning', 'nova.conf', null],
])('a device that left device_spec with %i used', (used, severity, sourceToCorrect, command) => {
  const input = editGpuProviders(l40sCloud({ typed: 3, listed: [] }), (provider) => ({
    ...provider,
    inventories: { CUSTOM_L40S_16Q: inventoryOf(3, used) },
  }))
  expect(findOne(input, 'device-left-spec')).toMatchObject({ severity, sourceToCorrect, command })
  expect(codes(l40sCloud({ typed: 3 }))).not.toContain('device-left-spec')
})
