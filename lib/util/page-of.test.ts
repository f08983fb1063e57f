import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOf } from './page-of'

const keyOf = (row: string): string => row

const allPages = (rows: readonly string[], limit: number): string[] => {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: ReturnType<typeof pageOf<string>> = pageOf(rows, { limit, cursor, keyOf })
    found.push(...page.rows)
    cursor = page.next
  } while (cursor !== null)
  return found
}

test('the pages together have every row once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 10 }), (rows, limit) => {
      expect(allPages(rows, limit)).toEqual(rows)
    }),
  )
})

test('a page continues after the last row, wherever that row is now', () => {
  const { next } = pageOf(['a', 'b', 'c', 'd'], { limit: 2, cursor: null, keyOf })
  expect(pageOf(['new', 'a', 'b', 'c', 'd'], { limit: 2, cursor: next, keyOf }).rows).toEqual(['c', 'd'])
})

test('where the last row is gone, a page continues at its index', () => {
  const { next } = pageOf(['a', 'b', 'c', 'd'], { limit: 2, cursor: null, keyOf })
  expect(pageOf(['a', 'c', 'd'], { limit: 2, cursor: next, keyOf }).rows).toEqual(['c', 'd'])
})

test('a cursor of another form gives the first page', () => {
  expect(pageOf(['a', 'b'], { limit: 1, cursor: 'nonsense', keyOf })).toEqual({
    rows: ['a'],
    total: 2,
    next: '0.a',
  })
})
