import { describe, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuHeadroom } from '@/lib/domain/headroom/gpu-headroom'
import { buildFlavor, buildServer, inventoryOf } from '@/lib/domain/testing/build-cloud'
import { buildGuest, uuidOf } from '@/lib/domain/testing/build-inventory'
import { GPU_FLAVOR, k40cCloud, PLAIN_FLAVOR } from '@/lib/domain/testing/k40c-cloud'
import type { Guest } from '@/lib/schemas/agent/inventory'
import { flavorQuestion } from './explain-fit'
import { nodeGap, nodeHeadroom, serversByNodes } from './node-headroom'
import { explainFit } from './testing/fit-at-once'

const CONF = `[compute]
cpu_shared_set = 0-9,12-19
cpu_dedicated_set = 10-11,20-23
[pci]
device_spec = {"vendor_id": "10de", "product_id": "1024"}
alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024"}`

const PINNED = { 'hw:cpu_policy': 'dedicated' }

/** Two nodes, the K40c on the second; `pins`: CPUs and memory of guests with pinned CPUs. */
const hostWith = (
  pins: { cpus: string; node: number; memoryMib: number }[],
  isReported = true,
  flavors: readonly Flavor[] = [GPU_FLAVOR, PLAIN_FLAVOR],
) => {
  const servers = pins.map((_, n) =>
    buildServer({ uuid: uuidOf(700 + n), host: 'hyper18', extraSpecs: PINNED }),
  )
  const input = k40cCloud({ novaConf: CONF, api: CONF, servers, flavors })
  const guests = pins.map(
    ({ cpus, node, memoryMib }, n): Guest => ({
      ...buildGuest({ uuid: uuidOf(700 + n), name: `instance-${n}` }),
      ...(isReported ? { numa: { cpus, memory: [{ node, memoryMib }] } } : {}),
    }),
  )
  const hosts = input.hosts.map((host) => ({ ...host, inventory: { ...host.inventory, guests } }))
  const fleet = joinFleet({ ...input, hosts })
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('the cloud has a host')
  return { fleet, joined }
}

const gpuFlavor = (extra: Record<string, string> = {}) =>
  buildFlavor({ ...GPU_FLAVOR, extraSpecs: { ...GPU_FLAVOR.extraSpecs, ...PINNED, ...extra } })

test('CPUs to which guests are pinned are not free in their node', () => {
  const { joined } = hostWith([{ cpus: '20-21', node: 1, memoryMib: 8192 }])
  expect(nodeHeadroom(joined)).toMatchObject([
    { id: 0, dedicated: 2, dedicatedFree: 2, memoryMib: 64_300, memoryFreeMib: 64_300, gpus: 0 },
    { id: 1, dedicated: 4, dedicatedFree: 2, memoryMib: 64_500, memoryFreeMib: 56_308, gpus: 1, freeGpus: 1 },
  ])
})

test('without the binding of a server the free CPUs are unknown', () => {
  const { joined } = hostWith([{ cpus: '20-21', node: 1, memoryMib: 8192 }], false)
  expect(nodeGap(joined)).toMatch(/does not report the NUMA node of/)
  expect(nodeHeadroom(joined)?.[1]).toMatchObject({ dedicated: 4, dedicatedFree: null, memoryFreeMib: null })
  expect(serversByNodes(joined, gpuFlavor())).toMatchObject({ value: null })
})

describe('servers that the nodes take one by one', () => {
  const full = [
    { cpus: '20-21', node: 1, memoryMib: 4096 },
    { cpus: '22-23', node: 1, memoryMib: 4096 },
  ]

  test('a pinned server with the card needs the CPUs of the card’s node', () => {
    expect(serversByNodes(hostWith([]).joined, gpuFlavor())).toMatchObject({ value: 1 })
    expect(serversByNodes(hostWith(full).joined, gpuFlavor())).toMatchObject({ value: 0 })
    const preferred = gpuFlavor({ 'hw:pci_numa_affinity_policy': 'preferred' })
    expect(serversByNodes(hostWith(full).joined, preferred)).toMatchObject({ value: 1 })
  })

  test('a server over two nodes takes a part of each', () => {
    const two = gpuFlavor({ 'hw:numa_nodes': '2' })
    expect(serversByNodes(hostWith([]).joined, { ...two, vcpus: 4 })).toMatchObject({ value: 1 })
    expect(serversByNodes(hostWith([]).joined, { ...two, vcpus: 6 })).toMatchObject({ value: 0 })
  })

  test('a flavor without a request for nodes is not judged by them', () => {
    expect(serversByNodes(hostWith(full).joined, PLAIN_FLAVOR)).toBeNull()
  })
})

test('a free card whose node has no CPUs left is without headroom although the host has some', () => {
  const { fleet, joined } = hostWith([{ cpus: '20-23', node: 1, memoryMib: 4096 }], true, [gpuFlavor()])
  if (joined.root.state !== 'matched') throw new Error('the host has a root provider')
  const { value } = joined.root
  const root = { ...value, inventories: { ...value.inventories, PCPU: inventoryOf(6, 4) } }
  expect(gpuHeadroom(fleet, { ...joined, root: { ...joined.root, value: root } })).toMatchObject({
    state: 'starved',
    because: expect.stringContaining('no NUMA node has the CPUs and memory for a server of g1.gpu'),
    flavors: [{ byGpus: 1, byHeadroom: 0, short: [], isNodeShort: true }],
  })
})

describe('the fit of a flavor', () => {
  const fitOn = (pins: Parameters<typeof hostWith>[0], flavor = gpuFlavor()) => {
    const { fleet } = hostWith(pins, true, [flavor])
    const hosts = fleet.hosts.map((host) => {
      if (host.root.state !== 'matched') throw new Error('the host has a root provider')
      const { value } = host.root
      const inventories = { ...value.inventories, PCPU: inventoryOf(6, 0) }
      return { ...host, root: { ...host.root, value: { ...value, inventories } } }
    })
    const [host] = explainFit({ ...fleet, hosts }, flavorQuestion(flavor)).hosts
    return { fits: host?.fits.value, kinds: host?.blockers.map(({ kind }) => kind) }
  }
  const full = [{ cpus: '20-23', node: 1, memoryMib: 4096 }]

  test('is 0 where the CPUs that are left are on another node than the card', () => {
    expect(fitOn([])).toEqual({ fits: 1, kinds: [] })
    expect(fitOn(full)).toEqual({ fits: 0, kinds: ['numa'] })
    expect(fitOn(full, gpuFlavor({ 'hw:pci_numa_affinity_policy': 'preferred' })).fits).toBe(1)
  })
})

test('memory of a node is counted with the allocation ratio, for each server up to the memory of the node', () => {
  const { joined } = hostWith([])
  if (joined.root.state !== 'matched') throw new Error('the host has a root provider')
  const { value } = joined.root
  const withRatio = (allocationRatio: number | null) => ({
    ...joined,
    root: {
      state: 'matched' as const,
      note: null,
      because: null,
      value: {
        ...value,
        inventories: { ...value.inventories, MEMORY_MB: { ...inventoryOf(128_800, 0), allocationRatio } },
      },
    },
  })
  const flavor = { ...PLAIN_FLAVOR, memoryMib: 50_000, extraSpecs: { 'hw:numa_nodes': '1' } }
  const servers = (ratio: number | null, memoryMib = flavor.memoryMib) =>
    serversByNodes(withRatio(ratio), { ...flavor, memoryMib })?.value
  expect([servers(1), servers(1.6)]).toEqual([2, 4])
  expect(servers(1.6, 65_000)).toBe(0)
  expect(servers(null)).toBeGreaterThan(1000)
})
