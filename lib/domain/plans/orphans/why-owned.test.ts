import { expect, test } from 'vitest'
import type { Allocation, Server } from '@/lib/domain/cloud/types'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type OwnerFacts, whyOwned } from './why-owned'

const cloud = t4Cloud()
const [host] = cloud.hosts
const inventory = host?.inventory as Inventory
const held = inventory.mdevs?.find(({ uuid }) =>
  inventory.guests?.some(({ mdevs }) => mdevs.some((mdev) => mdev.uuid === uuid)),
)
if (held === undefined) throw new Error('the cloud lost its mdevs')
const { parent } = held
const owner = inventory.guests?.find(({ mdevs }) => mdevs.some(({ uuid }) => uuid === held.uuid))
if (owner === undefined) throw new Error('the cloud lost its guest')
const server = cloud.facts.servers.value?.find(({ uuid }) => uuid === owner.uuid) as Server
const ORPHAN = { uuid: 'c0ffee00-0000-4000-8000-000000000001', parent }
const OTHER = 'c0ffee00-0000-4000-8000-000000000009'

const allocation = (consumerUuid: string, amount = 1): Allocation => ({
  consumerUuid,
  providerUuid: 'p',
  resources: { VGPU: amount },
})

const facts = (over: Partial<OwnerFacts> = {}): OwnerFacts => ({
  allocations: [allocation(owner.uuid)],
  servers: [server],
  heldElsewhere: () => 0,
  requested: ({ extraSpecs }) => Number(extraSpecs['resources:VGPU'] ?? 0),
  otherOwner: null,
  ...over,
})

const vgpuServer = (over: Partial<Server>): Server => ({
  ...server,
  uuid: OTHER,
  name: 'other',
  extraSpecs: { 'resources:VGPU': '1' },
  ...over,
})

test('it has no owner if every allocation and every server has another vGPU', () => {
  expect(whyOwned(inventory, ORPHAN, facts())).toBeNull()
})

test.each([
  ['a guest names it', held, facts(), 'names it in its'],
  ['an allocation has no mdev there', ORPHAN, facts({ allocations: [allocation(OTHER)] }), 'allocated on'],
  [
    'an allocation is larger than what is attached',
    ORPHAN,
    facts({ allocations: [allocation(owner.uuid, 2)] }),
    'has 2 allocated',
  ],
  ['a server has no guest', ORPHAN, facts({ servers: [server, vgpuServer({})] }), 'could belong to it'],
  [
    'a server is being built',
    ORPHAN,
    facts({ servers: [vgpuServer({ status: 'BUILD', taskState: 'spawning' })] }),
    'BUILD, spawning',
  ],
  [
    'it is not known what a server holds',
    ORPHAN,
    facts({ servers: [vgpuServer({})], heldElsewhere: () => null }),
    'could belong to it',
  ],
])('it stays while %s', (_what, mdev, label, words) => {
  expect(whyOwned(inventory, mdev, label)).toContain(words)
})

test('a server whose vGPU is allocated on another provider does not own it', () => {
  expect(whyOwned(inventory, ORPHAN, facts({ servers: [vgpuServer({})], heldElsewhere: () => 1 }))).toBeNull()
})

test('a server without a vGPU in its flavor does not count', () => {
  expect(whyOwned(inventory, ORPHAN, facts({ servers: [vgpuServer({ extraSpecs: {} })] }))).toBeNull()
})

test('an mdev of a provider of another service stays', () => {
  const otherOwner = 'cmp_pci has the trait OWNER_CYBORG'
  expect(whyOwned(inventory, ORPHAN, facts({ otherOwner }))).toBe(otherOwner)
})

test('what is unknown is a reason', () => {
  expect(whyOwned({ ...inventory, guests: null }, ORPHAN, facts())).toContain('could not be read')
  const problem = { source: '/etc/libvirt/qemu/x.xml', code: 'permission' as const, message: 'x' }
  expect(whyOwned({ ...inventory, problems: [problem] }, ORPHAN, facts())).toContain('some guest may name it')
})
