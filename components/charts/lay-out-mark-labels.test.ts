import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChartMark, layOutMarkLabels, type PlacedLabel } from './lay-out-mark-labels'

const PLOT = { from: 0, until: 1000, width: 1000, rows: 3 }
const mark = (number: number, at: number, label: string, isIncident = false): ChartMark => ({
  number,
  at,
  label,
  isIncident,
})
const labelOf = (placed: readonly PlacedLabel[], of: ChartMark) =>
  placed.find(({ marks }) => marks.includes(of))

test('a mark has its words to its right, at the end of the plot to its left', () => {
  const [first, last] = [mark(1, 100, 'change 9: two cards'), mark(2, 990, 'change 10')]
  const placed = layOutMarkLabels([first, last], PLOT)
  expect(labelOf(placed, first)).toEqual({
    marks: [first],
    x: 100,
    row: 2,
    isLeft: false,
    text: '1. change 9: two cards',
  })
  expect(labelOf(placed, last)).toMatchObject({ x: 990, isLeft: true })
})

test('marks that are too close share one label with their numbers; actions of people get texts first', () => {
  const words = 'a label of forty letters, which is long'
  const marks = [
    mark(1, 505, words, true),
    ...Array.from({ length: 23 }, (_, index) => mark(index + 2, 510 + index * 3, words)),
  ]
  const placed = layOutMarkLabels(marks, PLOT)
  const numbers = placed.filter(({ row }) => row === 0)
  expect(numbers.map(({ text }) => text)).toEqual(['1–9', '10–23', '24'])
  expect(placed.flatMap((label) => label.marks).length).toBe(marks.length)
  expect(layOutMarkLabels([mark(7, 10, words)], { ...PLOT, width: 60 })[0]?.text).toBe('7')
})

test('each mark is in exactly one label, and no text overlaps another or leaves the plot', () => {
  const marks = fc.array(fc.tuple(fc.nat(1000), fc.string({ maxLength: 60 }), fc.boolean()), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(marks, fc.integer({ min: 100, max: 1400 }), (all, width) => {
      const given = all
        .toSorted(([a], [b]) => a - b)
        .map(([at, label, isIncident], index) => mark(index + 1, at, label, isIncident))
      const placed = layOutMarkLabels(given, { ...PLOT, width })
      expect(
        placed
          .flatMap((label) => label.marks)
          .map(({ number }) => number)
          .toSorted((a, b) => a - b),
      ).toEqual(given.map(({ number }) => number))
      const spans = placed.map(({ x, row, isLeft, text }) => {
        const wide = text.length * 6
        return { row, x, begin: isLeft ? x - wide : x, end: isLeft ? x : x + wide }
      })
      for (const [index, one] of spans.entries()) {
        expect(one.begin).toBeGreaterThanOrEqual(0)
        expect(one.end).toBeLessThanOrEqual(width)
        for (const other of spans.slice(index + 1))
          expect(one.row !== other.row || one.end <= other.begin || other.end <= one.begin).toBe(true)
        // The line to words in a higher row crosses none below.
        for (const other of spans.filter(({ row }) => row < one.row))
          expect(one.x <= other.begin || one.x >= other.end).toBe(true)
      }
    }),
  )
})
