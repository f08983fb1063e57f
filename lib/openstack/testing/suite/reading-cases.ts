import { expect, it } from 'vitest'
import { createCloudReader } from '../../reading/create-cloud-reader'
import { isGpuProvider } from '../../reading/gpu-provider'
import { type ClientTarget, withAdmin } from './target'

export const readingCases = (target: () => ClientTarget): void => {
  it('reads the whole cloud without an error, and as Placement reports it provider by provider', () =>
    withAdmin(target(), async ({ account, placement }) => {
      const reader = createCloudReader({ account })
      const { facts, cost, waitingRequests } = await reader.readRound({ previous: null, now: new Date() })
      expect(cost.map(({ error }) => error)).toEqual([null, null, null, null])
      expect(waitingRequests).toBe(0)
      const { cloud: _cloud, region: _region, versions, ...parts } = facts
      expect(Object.values(versions)).not.toContain(null)
      for (const [name, part] of Object.entries(parts)) {
        expect({ name, error: part.error }).toEqual({ name, error: null })
      }
      for (const provider of (facts.providers.value ?? []).slice(0, 40)) {
        const { inventories } = await placement.getInventories(provider.uuid)
        const { usages } = await placement.getUsages(provider.uuid)
        const { traits } = await placement.getTraits(provider.uuid)
        const numbers = Object.entries(inventories).map(([name, record]) => [
          name,
          [Math.floor((record.total - record.reserved) * record.allocationRatio), usages[name]],
        ])
        const read = Object.entries(provider.inventories ?? {}).map(([name, { capacity, used }]) => [
          name,
          [capacity, used],
        ])
        expect(Object.fromEntries(read)).toEqual(Object.fromEntries(numbers))
        expect([...(provider.traits ?? [])].sort()).toEqual([...traits].sort())
      }
    }))

  it('finds GPU providers, who holds them, and the servers there', () =>
    withAdmin(target(), async ({ account, placement }) => {
      if (!target().capabilities.hasVgpuServers) return
      const { facts } = await createCloudReader({ account }).readRound({ previous: null, now: new Date() })
      const gpus = (facts.providers.value ?? []).filter(isGpuProvider)
      expect(gpus.length).toBeGreaterThan(0)
      expect(facts.allocations.value?.length).toBeGreaterThan(0)
      expect(facts.servers.value?.length).toBeGreaterThan(0)
      const [first] = facts.allocations.value ?? []
      const consumer = await placement.getConsumer(first?.consumerUuid ?? '')
      expect(consumer.allocations).toContainEqual(first)
    }))

  it('costs at most 10 requests when nothing changed', () =>
    withAdmin(target(), async ({ account }) => {
      const reader = createCloudReader({ account })
      const start = Date.now()
      await reader.readRound({ previous: null, now: new Date(start) })
      for (let minute = 1; minute <= 6; minute += 1) {
        const { cost } = await reader.readRound({ previous: null, now: new Date(start + minute * 60_000) })
        expect(cost.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThanOrEqual(10)
      }
    }))
}
