import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangeLabels, type LabelledMark } from './arrange-labels'

const foldedWidth = (count: number): number => 30 + String(count).length * 6
const TERMS = { left: 0, right: 600, rows: 2, gap: 4, foldedWidth }
const mark = (x: number, width = 50): LabelledMark => ({ x, width })

test('labels that would overlap go to the next row, and those that fit stay in the first', () => {
  expect(arrangeLabels([mark(10), mark(40), mark(100)], TERMS)).toEqual({
    placed: [
      { mark: 0, row: 0, left: 14 },
      { mark: 1, row: 1, left: 44 },
      { mark: 2, row: 0, left: 104 },
    ],
    folded: [],
  })
})

test('what fits in no row is listed together, near each other', () => {
  const near = [mark(10), mark(12), mark(14), mark(16), mark(400), mark(401), mark(402)]
  expect(arrangeLabels(near, TERMS)).toMatchObject({
    placed: [{ mark: 0 }, { mark: 1 }, { mark: 4 }, { mark: 5 }],
    folded: [
      { count: 2, row: 2, left: 18 },
      { count: 1, row: 2, left: 406 },
    ],
  })
})

test('a label at the end lies left of it', () => {
  expect(arrangeLabels([mark(590), mark(599)], TERMS).placed).toEqual([
    { mark: 0, row: 0, left: 550 },
    { mark: 1, row: 1, left: 550 },
  ])
})

test('no two labels of any marks overlap, none leaves the chart, and each mark is reported once', () => {
  const marks = fc.array(
    fc.record({ x: fc.integer({ min: 0, max: 600 }), width: fc.integer({ min: 10, max: 120 }) }),
    { maxLength: 150 },
  )
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 4 }), (all, rows) => {
      const { placed, folded } = arrangeLabels(all, { ...TERMS, rows })
      const boxes = [
        ...placed.map(({ mark: one, row, left }) => ({ row, left, right: left + (all[one]?.width ?? 0) })),
        ...folded.map(({ count, row, left }) => ({ row, left, right: left + foldedWidth(count) })),
      ]
      for (const box of boxes) {
        expect(box.left).toBeGreaterThanOrEqual(0)
        expect(box.right).toBeLessThanOrEqual(600)
        const overlapping = boxes.filter(
          (other) => other.row === box.row && other.left < box.right && box.left < other.right,
        )
        expect(overlapping).toEqual([box])
      }
      expect(new Set(placed.map(({ mark: one }) => one)).size).toBe(placed.length)
      expect(placed.length + folded.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
    }),
  )
})
