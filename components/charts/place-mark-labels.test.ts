import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChartMark, placeMarkLabels } from './place-mark-labels'

const PLOT = { from: 0, until: 1000, width: 1000, rows: 2 }
const mark = (number: number, at: number, label: string, isIncident = false): ChartMark => ({
  number,
  at,
  label,
  isIncident,
})

test('a mark has its words to its right, at the end of the plot to its left', () => {
  const [first, last] = [mark(1, 100, 'change 9: two cards'), mark(2, 990, 'change 10')]
  const placed = placeMarkLabels([first, last], PLOT)
  expect(placed.get(first)).toEqual({ x: 100, row: 1, isLeft: false, text: '1. change 9: two cards' })
  expect(placed.get(last)).toMatchObject({ x: 990, isLeft: true })
})

test('without room there is the number alone, then nothing; what people did comes first', () => {
  const words = 'a label of forty letters, which is long'
  const incident = mark(1, 515, words, true)
  const changes = [mark(2, 510, words), mark(3, 520, words), mark(4, 530, words), mark(5, 540, words)]
  const placed = placeMarkLabels([incident, ...changes], PLOT)
  expect(changes.map((each) => placed.get(each)?.text.length)).toEqual([42, 42, undefined, undefined])
  expect(placed.get(incident)).toBeUndefined()
  expect(
    placeMarkLabels([mark(7, 10, words)], { ...PLOT, width: 60 })
      .values()
      .next().value?.text,
  ).toBe('7')
})

test('no words stand on others or outside of the plot', () => {
  const marks = fc.array(
    fc.tuple(fc.nat(1000), fc.string({ maxLength: 60 }), fc.boolean()).map((each) => each),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(marks, fc.integer({ min: 100, max: 1400 }), (all, width) => {
      const placed = placeMarkLabels(
        all.map(([at, label, isIncident], place) => mark(place + 1, at, label, isIncident)),
        { ...PLOT, width },
      )
      const spans = [...placed.values()].map(({ x, row, isLeft, text }) => {
        const wide = text.length * 6
        return { row, x, begin: isLeft ? x - wide : x, end: isLeft ? x : x + wide }
      })
      for (const [place, one] of spans.entries()) {
        expect(one.begin).toBeGreaterThanOrEqual(0)
        expect(one.end).toBeLessThanOrEqual(width)
        for (const other of spans.slice(place + 1))
          expect(one.row !== other.row || one.end <= other.begin || other.end <= one.begin).toBe(true)
        // The line to words in a higher row crosses none below.
        for (const one of spans.filter(({ row }) => row > 0))
          for (const other of spans.filter(({ row }) => row < one.row))
            expect(one.x <= other.begin || one.x >= other.end).toBe(true)
      }
    }),
  )
})
