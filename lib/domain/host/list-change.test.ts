import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carryOver, listChange } from './list-change'

type Item = { n: number }

const POOL: Item[] = Array.from({ length: 6 }, (_, n) => ({ n }))

/** Short lists of few objects, so that entries often stay, move and stand twice. */
const list = fc.array(fc.constantFrom(...POOL), { maxLength: 8 })

const count = (items: readonly Item[], item: Item): number => items.filter((other) => other === item).length

test('of any two lists what stayed is what neither went nor came', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const { gone, come } = listChange(before, after)
      for (const item of POOL)
        expect(count(before, item) - count(gone, item)).toBe(count(after, item) - count(come, item))
    }),
  )
})

test('of entries that stayed what was made of them is carried over, others are made', () => {
  fc.assert(
    fc.property(
      list,
      list,
      fc.array(fc.constantFrom(...POOL), { maxLength: 12 }),
      (before, after, concerned) => {
        const { sources, come } = listChange(before, after)
        const last = before.map(({ n }) => ({ of: n, isNew: false }))
        const made = carryOver(after, {
          sources,
          before: last,
          concerned,
          make: ({ n }) => ({ of: n, isNew: true }),
        })
        expect(made.map((one) => one.of)).toEqual(after.map(({ n }) => n))
        const told = after.filter((item) => concerned.includes(item) || come.includes(item))
        const isNew = made.filter((one) => one.isNew).length
        expect(isNew).toBeLessThanOrEqual(told.length)
        expect(isNew).toBeGreaterThanOrEqual(after.filter((item) => concerned.includes(item)).length)
      },
    ),
  )
})

test('the very list comes back when every entry is made as it was', () => {
  const before = POOL.map(({ n }) => ({ of: n }))
  const make = (item: Item, known: { of: number } | undefined) => known ?? { of: item.n }
  expect(carryOver(POOL, { sources: null, before, concerned: [...POOL, ...POOL], make })).toBe(before)
  const { sources } = listChange(POOL, [...POOL].reverse())
  expect(carryOver([...POOL].reverse(), { sources, before, concerned: [], make })).not.toBe(before)
})
