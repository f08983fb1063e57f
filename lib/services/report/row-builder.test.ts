import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { createHostMemory } from '@/lib/domain/host/host-memory'
import { hostSteps } from '@/lib/domain/testing/host-steps'
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
      wordings.map(({ typeId, name, description }) => idOf([typeId, name, description])),
    setIds: async (sets) => sets.map(idOf),
    forget: () => ids.clear(),
    epoch: () => 0,
  }
}

test('rows made with those of the last report are those that are made without', async () => {
  await fc.assert(
    fc.asyncProperty(hostSteps(anyHost), async (inventories) => {
      const buildRows = createRowBuilder(countingRegistry())
      const host = createHostMemory()
      const memory = createRowMemory()
      for (const inventory of inventories) {
        const report = {
          contractVersion: 1 as const,
          agentVersion: '0.1.0',
          position: { boot: 1, sequence: 1 },
          takenAt: '2026-01-01T00:00:00Z',
          digest: '',
          droppedReports: 0,
          inventory,
        }
        const description = describeHost(inventory, { hasRawFacts: false, memory: host })
        const anew = describeHost(inventory, { hasRawFacts: false })
        const kept = await buildRows({ report, description, clockProblem: null, memory })
        const fresh = await buildRows({ report, description: anew, clockProblem: null })
        if (!isDeepStrictEqual(kept, fresh)) expect(kept).toEqual(fresh)
      }
    }),
    { numRuns: 60 },
  )
}, 120_000)
