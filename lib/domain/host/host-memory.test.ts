import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildGuest, buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { a100SlidesHost, k40cHost, migHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { hostSteps } from '@/lib/domain/testing/host-steps'
import { offersOf } from '@/lib/domain/testing/offers'
import { randomHost } from '@/lib/domain/testing/random-host'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { describeHost } from './describe-host'
import { createHostMemory } from './host-memory'

const PARTS = ['host', 'vgpuTypes', 'gpus', 'mdevs', 'guests', 'novaConfig', 'nvidiaSmi', 'problems'] as const

const KNOWN: Inventory[] = [t4SeedHost(), a100SlidesHost(), vendorVfioHost()]

const problem = fc.constantFrom(
  { source: '/etc/nova/nova.conf', code: 'permission' as const, message: 'not allowed' },
  { source: '/etc/mdevctl.d', code: 'permission' as const, message: 'not allowed' },
  { source: '/etc/libvirt/qemu', code: 'io' as const, message: 'broken' },
)

/** Inventories that share parts with each other as a host's reports do: whole lists, and single entries of them. */
const sharingInventories = fc
  .tuple(fc.array(randomHost, { minLength: 1, maxLength: 3 }), fc.array(problem, { maxLength: 1 }))
  .chain(([hosts, problems]) => {
    const pool = [...KNOWN, ...hosts.map(({ inventory }) => ({ ...inventory, problems }))]
    const from = fc.constantFrom(...pool)
    const step = fc.record({
      base: from,
      others: fc.record(Object.fromEntries(PARTS.map((part) => [part, fc.option(from, { freq: 3 })]))),
      skipped: fc.nat(4),
    })
    return fc.array(step, { minLength: 2, maxLength: 8 })
  })
  .map((steps) =>
    steps.map(({ base, others, skipped }): Inventory => {
      const mixed = { ...base }
      for (const part of PARTS) Object.assign(mixed, others[part] ? { [part]: others[part][part] } : {})
      return {
        ...mixed,
        guests: mixed.guests?.filter((_, place) => place !== skipped) ?? null,
        mdevs: mixed.mdevs?.filter((_, place) => place !== skipped - 1) ?? null,
      }
    }),
  )

const expectSameReadings = (inventories: readonly Inventory[]): void => {
  const memory = createHostMemory()
  for (const inventory of inventories) {
    const remembered = describeHost(inventory, { hasDetails: false, memory })
    const anew = describeHost(inventory, { hasDetails: false })
    if (!isDeepStrictEqual(remembered, anew)) expect(remembered).toEqual(anew)
  }
}

test('with a memory every host is described as without one', () => {
  fc.assert(fc.property(sharingInventories, expectSameReadings), { numRuns: 60 })
}, 60_000)

/** Two cards of one model by vendor VFIO: what the one cannot name the other can. */
const twoVendorCards = (): Inventory => {
  const host = vendorVfioHost()
  const [card] = host.gpus
  if (card === undefined) throw new Error('the host has a card')
  const renamed = (address: string) => address.replace('c8', 'c9')
  const sister = {
    ...card,
    address: renamed(card.address),
    virtualFunctions: card.virtualFunctions.map((vf) => ({ ...vf, address: renamed(vf.address) })),
  }
  return { ...host, gpus: [card, sister] }
}

const anyHost = fc.oneof(
  fc.constantFrom(...KNOWN, k40cHost(), twoVendorCards()),
  randomHost.map(({ inventory }) => inventory),
)

test('a host whose entries change one by one is described as without a memory', () => {
  fc.assert(fc.property(hostSteps(anyHost), expectSameReadings), { numRuns: 150 })
}, 120_000)

/** The same with one more guest, whose reading ends in an error: at its mdevs the index moves on, at its name it has moved. */
const brokenBy = (inventory: Inventory, key: 'mdevs' | 'name'): Inventory => {
  const guest = Object.defineProperty(buildGuest({ uuid: uuidOf(0xbad), name: 'broken' }), key, {
    get: () => {
      throw new Error('broken')
    },
  })
  return { ...inventory, guests: [...(inventory.guests ?? []).slice(1), guest] }
}

test('after a reading that failed half-way the next one is described as without a memory', () => {
  const key = fc.constantFrom('mdevs' as const, 'name' as const)
  fc.assert(
    fc.property(hostSteps(anyHost), key, (inventories, broken) => {
      const memory = createHostMemory()
      for (const inventory of inventories) {
        const remembered = describeHost(inventory, { hasDetails: false, memory })
        expect(isDeepStrictEqual(remembered, describeHost(inventory, { hasDetails: false }))).toBe(true)
        const next = brokenBy(inventory, broken)
        expect(() => describeHost(next, { hasDetails: false, memory })).toThrow('broken')
        expect(memory.reading).toBeNull()
      }
    }),
    { numRuns: 30 },
  )
}, 60_000)

test('of a host on which nothing changed every list is the same object', () => {
  const memory = createHostMemory()
  const first = describeHost(t4SeedHost(), { hasDetails: false, memory })
  const inventory = memory.reading?.inventory ?? t4SeedHost()
  const second = describeHost({ ...inventory }, { hasDetails: false, memory })
  expect(second.pgpus).toBe(first.pgpus)
  expect(second.mdevs).toBe(first.mdevs)
  expect(second.guests).toBe(first.guests)
})

test('an unchanged pGPU is the same object, a changed one is not', () => {
  const memory = createHostMemory()
  const before = t4SeedHost()
  const first = describeHost(before, { hasDetails: false, memory }).pgpus
  const second = describeHost({ ...before, guests: [] }, { hasDetails: false, memory }).pgpus
  const isSame = second.map((pgpu, place) => pgpu === first[place])
  expect(isSame).toEqual([true, true, true, true, true, true, false, true])
})

test('of a pGPU with two vGPUs the mdev of the one whose guest stays is the same object', () => {
  const memory = createHostMemory()
  const address = '0000:e7:00.0'
  const uuids = [uuidOf(1), uuidOf(2)]
  const before = buildInventory({
    cards: [{ address, offers: offersOf('T4', () => 0) }],
    mdevs: uuids.map((uuid) => buildMdev({ uuid, parent: address, typeId: 'nvidia-319' })),
    guests: uuids.map((uuid, n) => buildGuest({ uuid: uuidOf(50 + n), name: `i-${n}`, mdevs: [uuid] })),
    novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-319'),
  })
  const first = describeHost(before, { hasDetails: false, memory })
  const after = { ...before, guests: before.guests?.slice(1) ?? [] }
  const second = describeHost(after, { hasDetails: false, memory })
  expect(second.mdevs?.map(({ state }) => state)).toEqual(['spare', 'used'])
  expect(second.mdevs?.map((mdev, place) => mdev === first.mdevs?.[place])).toEqual([false, true])
  expect(second.pgpus[0]?.currentType).toBe(first.pgpus[0]?.currentType)
  expect(second.pgpus[0]?.iommu).toBe(first.pgpus[0]?.iommu)
})

test('the types of a changed pGPU are the same list, as long as nothing of them differs', () => {
  const memory = createHostMemory()
  const before = t4SeedHost()
  const typesOf = (inventory: Inventory) =>
    describeHost(inventory, { hasDetails: false, memory }).pgpus.map(({ supportedTypes }) => supportedTypes)
  const first = typesOf(before)
  expect(typesOf({ ...before, guests: [] })[6]).toBe(first[6])
  const gpus = before.gpus.map((gpu, place) =>
    place === 6
      ? { ...gpu, mdevTypes: (gpu.mdevTypes ?? []).map(([type]) => [type, 1] as [number, number]) }
      : gpu,
  )
  const third = typesOf({ ...before, guests: [], gpus })[6]
  expect(third).not.toBe(first[6])
  expect(third?.map(({ creatable }) => creatable)).toEqual(first[6]?.map(() => 1))
})

test("a card's types follow nvidia-smi's word alone", () => {
  const memory = createHostMemory()
  const host = migHost()
  const [smi] = host.nvidiaSmi?.gpus ?? []
  if (smi === undefined) throw new Error('nvidia-smi lists the card')
  const saying = (more: Partial<typeof smi>): Inventory => ({
    ...host,
    nvidiaSmi: { driverVersion: '535', gpus: [{ ...smi, ...more }] },
  })
  const gpuInstances = [1, 2, 3, 4, 5].map((id) => ({ id, profile: '1g.5gb' }))
  const told = [saying({}), saying({ migMode: 'disabled' }), saying({}), saying({ gpuInstances }), saying({})]
  const typesOf = (inventory: Inventory, remembered = {}) =>
    describeHost(inventory, { hasDetails: false, ...remembered }).pgpus[0]?.supportedTypes
  const texts = told.map((inventory) => {
    const types = typesOf(inventory, { memory })
    expect(types).toEqual(typesOf(inventory))
    return JSON.stringify(types)
  })
  expect(new Set(texts.slice(0, 2)).size).toBe(2)
  expect(new Set(texts.slice(2, 4)).size).toBe(2)
})

test('the configured type of a card without a driver follows how it is handed out', () => {
  const memory = createHostMemory()
  const address = '0000:af:00.0'
  const before = buildInventory({
    cards: [{ address, deviceId: '1eb8', driver: null }],
    novaConfig: novaConf(
      `[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\ndevice_addresses = ${address}`,
    ),
  })
  const held = { ...before, guests: [buildGuest({ uuid: uuidOf(1), name: 'train', pciDevices: [address] })] }
  const typeIn = (inventory: Inventory) =>
    describeHost(inventory, { hasDetails: false, memory }).pgpus[0]?.configuredType?.typeId
  expect([typeIn(before), typeIn(held), typeIn(before)]).toEqual(['nvidia-319', undefined, 'nvidia-319'])
})

test("what Nova's API beside nova-compute is told is looked at anew", () => {
  const memory = createHostMemory()
  const before = t4SeedHost()
  const novaApi = novaConf('pci_alias = {"name": "t4"}')
  const after = { ...before, host: { ...before.host, novaApi } }
  const sentences = (inventory: Inventory) =>
    describeHost(inventory, { hasDetails: false, memory }).findings.map(({ sentence }) => sentence)
  expect(sentences(before).filter((sentence) => sentence.includes('pci_alias'))).toEqual([])
  expect(sentences(after).filter((sentence) => sentence.includes('pci_alias'))).toHaveLength(1)
})

test('raw facts are never taken from a memory', () => {
  const memory = createHostMemory()
  describeHost(t4SeedHost(), { hasDetails: false, memory })
  expect(describeHost(t4SeedHost(), { memory }).pgpus[0]?.rawFacts.length).toBeGreaterThan(0)
})
