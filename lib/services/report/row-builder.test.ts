import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { createHostMemory } from '@/lib/domain/host/host-memory'
import type { HostDescription } from '@/lib/domain/host/types'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { hostSteps } from '@/lib/domain/testing/host-steps'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { createRowBuilder, createRowMemory } from './row-builder'
import { anyHost } from './testing/host-story'
import type { TypeRegistry } from './type-registry'

/** Ids by the content, as the database gives them. */
const countingRegistry = (): TypeRegistry => {
  const ids = new Map<string, number>()
  const idOf = (content: unknown): number => {
    const key = JSON.stringify(content)
    ids.set(key, ids.get(key) ?? ids.size + 1)
    return ids.get(key) ?? 0
  }
  return {
    typeIds: async (wordings) =>
      wordings.map(({ typeId, name, description, deviceApi }) =>
        idOf([typeId, name, description, deviceApi]),
      ),
    setIds: async (sets) => sets.map(idOf),
    forget: () => ids.clear(),
    epoch: () => 0,
  }
}

const reportOf = (inventory: Inventory): Report => ({
  contractVersion: 1,
  agentVersion: '0.1.0',
  position: { boot: 1, sequence: 1 },
  takenAt: '2026-01-01T00:00:00Z',
  digest: '',
  droppedReports: 0,
  inventory,
})

test('rows made with those of the last report are those that are made without', async () => {
  await fc.assert(
    fc.asyncProperty(hostSteps(anyHost), async (inventories) => {
      const buildRows = createRowBuilder(countingRegistry())
      const host = createHostMemory()
      const memory = createRowMemory()
      for (const inventory of inventories) {
        const report = reportOf(inventory)
        const description = describeHost(inventory, { hasDetails: false, memory: host })
        const anew = describeHost(inventory, { hasDetails: false })
        const kept = await buildRows({ report, description, clockProblem: null, memory })
        const fresh = await buildRows({ report, description: anew, clockProblem: null })
        if (!isDeepStrictEqual(kept, fresh)) expect(kept).toEqual(fresh)
      }
    }),
    { numRuns: 60 },
  )
}, 120_000)

/** A host that reports time after time; `change` is what a description says beyond what its inventory does. */
const createHost = (buildRows = createRowBuilder(countingRegistry())) => {
  const host = createHostMemory()
  const memory = createRowMemory()
  return {
    tell: (
      inventory: Inventory,
      change: (description: HostDescription) => HostDescription = (same) => same,
    ) =>
      buildRows({
        report: reportOf(inventory),
        description: change(describeHost(inventory, { hasDetails: false, memory: host })),
        clockProblem: null,
        memory,
      }),
  }
}

test('once the ids of its types are known the rows of a host are there at once', async () => {
  const { tell } = createHost()
  const inventory = t4SeedHost()
  const first = tell(inventory)
  expect(first).toBeInstanceOf(Promise)
  const before = await first
  const after = tell({ ...inventory, guests: [] })
  expect(after).toMatchObject({ guestCount: 0, guests: [] })
  expect(after).toHaveProperty('virtualFunctions', before.virtualFunctions)
})

test('a card that takes the words of another type under the same id gets another set of types', async () => {
  const { tell } = createHost()
  const seed = t4SeedHost()
  const [first] = seed.vgpuTypes
  if (first === undefined) throw new Error('the host has types')
  const types = [...seed.vgpuTypes, { ...first, deviceApi: 'of another driver' }]
  const inventory = { ...seed, vgpuTypes: types }
  const moved = inventory.gpus.map((gpu, place) => ({
    ...gpu,
    mdevTypes:
      place === 0
        ? (gpu.mdevTypes?.map(([type, left]): [number, number | null] => [
            type === 0 ? types.length - 1 : type,
            left,
          ]) ?? null)
        : gpu.mdevTypes,
  }))
  const setOf = (rows: Awaited<ReturnType<typeof tell>>) => rows.pgpus[0]?.[10]
  const before = setOf(await tell(inventory))
  expect(before).toEqual(expect.any(Number))
  expect(setOf(await tell({ ...inventory, gpus: moved }))).not.toBe(before)
})

test('of two cards under one address the last one stands, also where the first report told them apart', async () => {
  const { tell } = createHost()
  const inventory = t4SeedHost()
  await tell(inventory)
  const doubled = await tell(inventory, (description) => ({
    ...description,
    pgpus: description.pgpus.map((pgpu, place) =>
      place === 1 ? { ...pgpu, address: description.pgpus[0]?.address ?? '', model: 'second' } : pgpu,
    ),
  }))
  expect(doubled.pgpus).toHaveLength(inventory.gpus.length - 1)
  expect(doubled.pgpus[0]?.[3]).toBe('second')
  expect(doubled.history).toHaveLength(inventory.gpus.length - 1)
})

test('after a build that failed the next one is whole', async () => {
  const registry = countingRegistry()
  const { tell } = createHost(createRowBuilder(registry))
  const inventory = t4SeedHost()
  const before = await tell(inventory)
  const broken = (description: HostDescription): HostDescription => ({
    ...description,
    guests: [],
    get mdevs(): never {
      throw new Error('broken off')
    },
  })
  expect(() => tell({ ...inventory, guests: [] }, broken)).toThrow('broken off')
  const again = tell(inventory)
  expect(again).toBeInstanceOf(Promise)
  expect(await again).toEqual(before)
})
