import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countAtOnce, countFits, type FitBin, type FitProblem, type FitSlot } from './count-fits'

const BINS = ['a', 'b', 'c'] as const

const problems: fc.Arbitrary<FitProblem> = fc.record({
  slots: fc
    .record({
      amount: fc.integer({ min: 1, max: 2 }),
      eligible: fc.array(fc.subarray([...BINS], { minLength: 1 }), { minLength: 1, maxLength: 3 }),
      isNumbered: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    })
    .map(({ amount, eligible, isNumbered }) =>
      eligible.map(
        (ids, n): FitSlot => ({
          amounts: { VGPU: amount },
          eligible: new Set(ids),
          isNumbered: isNumbered[n] ?? true,
        }),
      ),
    ),
  bins: fc
    .array(fc.record({ free: fc.nat(4), card: fc.constantFrom('x', 'y') }), { minLength: 3, maxLength: 3 })
    .map((bins) =>
      bins.map(({ free, card }, n): FitBin => ({ id: BINS[n] ?? '', free: { VGPU: free }, card })),
    ),
  cards: fc.record({ x: fc.nat(6), y: fc.nat(6) }),
  headroom: fc.nat(5),
  isIsolated: fc.boolean(),
})

/** Which bin serves each slot of one server: every way that is allowed. */
const choices = ({ slots, isIsolated }: FitProblem): string[][] =>
  slots.reduce<string[][]>(
    (ways, slot) =>
      ways.flatMap((way) =>
        [...slot.eligible]
          .filter(
            (id) =>
              !(
                isIsolated &&
                slot.isNumbered &&
                way.some((other, n) => other === id && slots[n]?.isNumbered)
              ),
          )
          .map((id) => [...way, id]),
      ),
    [[]],
  )

/** Takes one server's share; null when it does not fit. Hardware is counted in whole pieces of a slot, as drivers do. */
const take = (
  problem: FitProblem,
  free: ReadonlyMap<string, number>,
  way: readonly string[],
): Map<string, number> | null => {
  const left = new Map(free)
  for (const [n, id] of way.entries()) {
    const amount = problem.slots[n]?.amounts.VGPU ?? 0
    const card = `card ${problem.bins.find((bin) => bin.id === id)?.card}`
    for (const key of [id, card]) {
      const rest = (left.get(key) ?? 0) - amount
      if (rest < 0) return null
      left.set(key, rest)
    }
  }
  return left
}

const start = (problem: FitProblem): Map<string, number> =>
  new Map([
    ...problem.bins.map((bin): [string, number] => [bin.id, bin.free.VGPU ?? 0]),
    ...Object.entries(problem.cards).map(([card, bound]): [string, number] => [`card ${card}`, bound]),
  ])

const searchFits = (problem: FitProblem): number => {
  const known = new Map<string, number>()
  const max = (free: ReadonlyMap<string, number>): number => {
    const key = JSON.stringify([...free])
    const held = known.get(key)
    if (held !== undefined) return held
    const sums = choices(problem).map((way) => {
      const left = take(problem, free, way)
      return left === null ? 0 : 1 + max(left)
    })
    const best = Math.max(0, ...sums)
    known.set(key, best)
    return best
  }
  return Math.min(problem.headroom, max(start(problem)))
}

const searchAtOnce = (problem: FitProblem): number =>
  Math.max(
    0,
    ...choices(problem).map((way) => {
      let left: Map<string, number> | null = start(problem)
      let count = 0
      for (; count < problem.headroom; count++) {
        left = take(problem, left, way)
        if (left === null) break
      }
      return count
    }),
  )

const bins = (...free: number[]): FitBin[] =>
  free.map((VGPU, n) => ({ id: BINS[n] ?? '', free: { VGPU }, card: `${n}` }))
const slot = (amount: number): FitSlot => ({
  amounts: { VGPU: amount },
  eligible: new Set(BINS),
  isNumbered: true,
})

describe('counting', () => {
  it('agrees with a search through every way', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        expect(countFits(problem)).toEqual({ count: searchFits(problem), isExact: true })
      }),
      { numRuns: 400 },
    )
  })

  it('at once agrees with trying one candidate again and again', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        expect(countAtOnce(problem).count).toBe(searchAtOnce(problem))
      }),
      { numRuns: 400 },
    )
  })

  it('of slots with equal requests agrees with a search, too', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 3 }), (problem, count) => {
        const [first] = problem.slots
        if (first === undefined) return
        const same = { ...problem, slots: Array.from({ length: count }, () => first) }
        expect(countFits(same)).toEqual({ count: searchFits(same), isExact: true })
        expect(countAtOnce(same).count).toBe(searchAtOnce(same))
      }),
      { numRuns: 400 },
    )
  })

  it('bug 1874664: of 2 x 4, two servers of 2 at once work and two of 4 must fail', () => {
    const cloud = (amount: number): FitProblem => ({
      slots: [slot(amount)],
      bins: bins(4, 4),
      cards: {},
      headroom: 99,
      isIsolated: false,
    })
    expect([countFits(cloud(2)).count, countAtOnce(cloud(2)).count]).toEqual([4, 2])
    expect([countFits(cloud(4)).count, countAtOnce(cloud(4)).count]).toEqual([2, 1])
  })

  it('isolate keeps two vGPUs of a server on two providers', () => {
    const cloud: FitProblem = {
      slots: [slot(1), slot(1)],
      bins: bins(4, 1),
      cards: {},
      headroom: 99,
      isIsolated: true,
    }
    expect(countFits(cloud).count).toBe(1)
    expect(countFits({ ...cloud, isIsolated: false }).count).toBe(2)
  })

  it('different amounts of one class are stated, and never too many', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const mixed = {
          ...problem,
          slots: [...problem.slots, { ...slot(2), isNumbered: true }, { ...slot(1), isNumbered: true }],
        }
        const { count, isExact } = countFits(mixed)
        expect(isExact).toBe(false)
        expect(count).toBeLessThanOrEqual(searchFits(mixed))
      }),
      { numRuns: 100 },
    )
  })

  it('with a slot that no provider serves it is surely none, of unlike amounts too', () => {
    const slots = [slot(2), { ...slot(1), eligible: new Set<string>() }]
    const cloud: FitProblem = { slots, bins: bins(4, 4), cards: {}, headroom: 99, isIsolated: false }
    expect(countFits(cloud)).toEqual({ count: 0, isExact: true })
    expect(countAtOnce(cloud)).toEqual({ count: 0, isExact: true })
  })

  it('without a GPU it is the headroom', () => {
    expect(countFits({ slots: [], bins: [], cards: {}, headroom: 7, isIsolated: false }).count).toBe(7)
  })
})
