import { expect, test } from 'vitest'
import { isHeading, lineAt, lineCount, lineOfPlace } from './lines'

const grouped = {
  rows: Int32Array.of(7, 8, 9, 4, 5),
  groups: [
    { entry: 0, start: 0, end: 3 },
    { entry: 1, start: 3, end: 5 },
  ],
}
const plain = { rows: Int32Array.of(7, 8), groups: [] }

test('each group has a heading before its rows', () => {
  const lines = Array.from({ length: lineCount(grouped) }, (_, line) => lineAt(grouped, line))
  expect(lines.map((line) => (line.kind === 'row' ? line.row : 'heading'))).toEqual([
    'heading',
    7,
    8,
    9,
    'heading',
    4,
    5,
  ])
  expect(lines.map((_, line) => isHeading(grouped, line))).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
    false,
  ])
})

test('a row finds its line again', () => {
  for (let place = 0; place < grouped.rows.length; place++) {
    expect(lineAt(grouped, lineOfPlace(grouped, place))).toMatchObject({ kind: 'row', place })
  }
})

test('without groups lines are rows', () => {
  expect(lineCount(plain)).toBe(2)
  expect(lineAt(plain, 1)).toEqual({ kind: 'row', place: 1, row: 8 })
  expect(lineOfPlace(plain, 1)).toBe(1)
  expect(isHeading(plain, 0)).toBe(false)
})
