import { expect, test } from 'vitest'
import { barPaths, cellSpan, indexAt } from './bar-paths'

const none = { used: 0, spare: 0, orphan: 0, unknown: 0, free: 0, locked: 0 }

test('each kind is one outline with one box per cell', () => {
  const paths = barPaths({ ...none, used: 9, free: 3 })
  expect(paths.map(({ kind }) => kind)).toEqual(['used', 'free'])
  expect(paths.map(({ path }) => path.split('M').length - 1)).toEqual([9, 3])
})

test('a single cell takes the whole bar', () => {
  expect(cellSpan({ index: 0, cells: 1 })).toEqual({ left: 0, width: 1 })
})

test('the last of many cells ends at the right edge', () => {
  for (const cells of [2, 16, 32, 64]) {
    const { left, width } = cellSpan({ index: cells - 1, cells })
    expect(left + width).toBeCloseTo(1)
    expect(width).toBeGreaterThan(0)
  }
})

test('every cell is found under its own middle', () => {
  for (const cells of [1, 4, 12, 32, 64]) {
    for (let index = 0; index < cells; index++) {
      const { left, width } = cellSpan({ index, cells })
      expect(indexAt({ share: left + width / 2, cells })).toBe(index)
    }
  }
})

test('positions outside the bar belong to its first and last cell', () => {
  expect(indexAt({ share: -0.1, cells: 4 })).toBe(0)
  expect(indexAt({ share: 1.1, cells: 4 })).toBe(3)
})

test('no outline is broken at 64 cells', () => {
  const [bar] = barPaths({ ...none, used: 64 })
  expect(bar?.path).not.toMatch(/NaN|a-|h-?\d+\.\d{3}/)
})
