import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellKind, Known, Pgpu } from '@/lib/domain/pgpu/types'
import { healthyHost, randomHost } from '@/lib/domain/testing/random-host'
import { describeHost } from './describe-host'

const cellsOf = (pgpu: Pgpu, kind: CellKind): number => pgpu.cells.filter((cell) => cell.kind === kind).length

const knownValue = (number: Known): number => {
  if (number.value === null) throw new Error(`unknown: ${number.reason}`)
  return number.value
}

describe('the numbers of any host', { timeout: 60_000 }, () => {
  it('healthy: capacity = used + spare + creatable', () => {
    let healthy = 0
    fc.assert(
      fc.property(healthyHost, ({ inventory }) => {
        for (const { numbers } of describeHost(inventory).pgpus) {
          healthy += 1
          expect(knownValue(numbers.capacity)).toBe(
            knownValue(numbers.used) + knownValue(numbers.spare) + knownValue(numbers.creatable),
          )
          expect(knownValue(numbers.orphan)).toBe(0)
        }
      }),
      { numRuns: 60 },
    )
    expect(healthy).toBeGreaterThan(60)
  })

  it('are never negative, and unknown always has a reason', () => {
    fc.assert(
      fc.property(randomHost, ({ inventory }) => {
        for (const { numbers } of describeHost(inventory).pgpus)
          for (const { value, reason } of Object.values(numbers)) {
            if (value === null) expect(reason).toMatch(/\w/)
            else expect([value >= 0, reason]).toEqual([true, null])
          }
      }),
      { numRuns: 60 },
    )
  })

  it('agree with the cells: as many as the capacity, and of each kind as many as its number', () => {
    fc.assert(
      fc.property(randomHost, ({ inventory }) => {
        for (const pgpu of describeHost(inventory).pgpus) {
          const { capacity, used, spare, orphan, creatable } = pgpu.numbers
          if (capacity.value === null) {
            expect(pgpu.cells).toEqual([])
            continue
          }
          expect(pgpu.cells).toHaveLength(capacity.value)
          if (used.value !== null) expect(cellsOf(pgpu, 'used')).toBe(used.value)
          if (spare.value !== null) expect(cellsOf(pgpu, 'spare')).toBe(spare.value)
          if (orphan.value !== null) expect(cellsOf(pgpu, 'orphan')).toBe(orphan.value)
          if (creatable.value !== null) expect(cellsOf(pgpu, 'free')).toBeLessThanOrEqual(creatable.value)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('agree with the states of the mdevs', () => {
    fc.assert(
      fc.property(randomHost, ({ inventory }) => {
        const host = describeHost(inventory)
        for (const pgpu of host.pgpus)
          for (const state of ['used', 'spare', 'orphan', 'returning'] as const) {
            const { value } = pgpu.numbers[state]
            const mdevs = host.mdevs?.filter(
              (mdev) => mdev.pgpuAddress === pgpu.address && mdev.state === state,
            )
            if (value !== null && mdevs !== undefined) expect(mdevs).toHaveLength(value)
          }
      }),
      { numRuns: 60 },
    )
  })

  it('are never invented: use is unknown without guests, and created vGPUs are unknown without mdevs', () => {
    fc.assert(
      fc.property(randomHost, ({ inventory }) => {
        for (const { numbers } of describeHost({ ...inventory, guests: null }).pgpus)
          expect([numbers.used.value, numbers.spare.value, numbers.orphan.value]).toEqual([null, null, null])
        for (const { numbers } of describeHost({ ...inventory, mdevs: null }).pgpus)
          expect([numbers.used.value, numbers.spare.value, numbers.returning.value]).toEqual([
            null,
            null,
            null,
          ])
      }),
      { numRuns: 50 },
    )
  })

  it('are a function of the report alone', () => {
    fc.assert(
      fc.property(randomHost, ({ inventory }) => {
        const copy = structuredClone(inventory)
        expect(describeHost(inventory)).toEqual(describeHost(copy))
        expect(inventory).toEqual(copy)
      }),
      { numRuns: 30 },
    )
  })
})
