import { expect, test } from 'vitest'
import { groupOfLine, lineAt, lineAtOffset, lineCount, lineOfPosition, offsetOfLine } from './lines'

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
})

test('a row finds its line again', () => {
  for (let position = 0; position < grouped.rows.length; position++) {
    expect(lineAt(grouped, lineOfPosition(grouped, position))).toMatchObject({ kind: 'row', position })
  }
})

test('each line knows the heading above it', () => {
  const headings = Array.from(
    { length: lineCount(grouped) },
    (_, line) => groupOfLine(grouped, line)?.heading,
  )
  expect(headings).toEqual([0, 0, 0, 0, 4, 4, 4])
  expect(groupOfLine(grouped, 5)?.group.entry).toBe(1)
  expect(groupOfLine(plain, 1)).toBeNull()
})

test('without groups lines are rows', () => {
  expect(lineCount(plain)).toBe(2)
  expect(lineAt(plain, 1)).toEqual({ kind: 'row', position: 1, row: 8 })
  expect(lineOfPosition(plain, 1)).toBe(1)
})

test.each([
  ['with headings', grouped, [0, 36, 68, 100, 132, 168, 200, 232]],
  ['without', plain, [0, 32, 64]],
])('a line is found at each pixel of it, %s', (_, arranged, offsets) => {
  const heights = { row: 32, heading: 36 }
  expect(offsets.map((__, line) => offsetOfLine(arranged, line, heights))).toEqual(offsets)
  for (let line = 0; line < lineCount(arranged); line++) {
    expect(lineAtOffset(arranged, offsets[line] ?? 0, heights)).toBe(line)
    expect(lineAtOffset(arranged, (offsets[line + 1] ?? 0) - 1, heights)).toBe(line)
  }
})

test('above and below the list its first and its last line are the nearest', () => {
  const heights = { row: 32, heading: 36 }
  expect(lineAtOffset(grouped, -500, heights)).toBe(0)
  expect(lineAtOffset(plain, -500, heights)).toBe(0)
  expect(lineAtOffset(grouped, 5000, heights)).toBe(6)
})
