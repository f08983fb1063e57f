import { expect, test } from 'vitest'
import { layOutKeys, readUnicodeRange } from './save-chart'

test('ranges are read as style sheets write them', () => {
  expect(readUnicodeRange('U+0-FF, U+131, U+1F??')).toEqual([
    [0, 0xff],
    [0x131, 0x131],
    [0x1f00, 0x1fff],
  ])
  expect(readUnicodeRange('')).toEqual([])
})

test('keys follow each other, and continue in the next row where one would be cut', () => {
  const words = ['used', 'spare', 'orphan', 'not watched', 'used in the other range']
  expect(layOutKeys(words, 2000).rows).toBe(1)
  const { positions, rows } = layOutKeys(words, 290)
  expect(rows).toBe(2)
  expect(positions.map(({ row }) => row)).toEqual([0, 0, 0, 1, 1])
  expect(positions[3]?.x).toBe(0)
  for (const [index, { x, row }] of positions.entries()) {
    const next = positions[index + 1]
    if (next?.row === row) expect(next.x).toBeGreaterThan(x + 20 + (words[index]?.length ?? 0) * 6)
    expect(x + 20 + (words[index]?.length ?? 0) * 6).toBeLessThanOrEqual(290)
  }
})

test('a key wider than the picture has a row for itself', () => {
  expect(layOutKeys(['a', 'b'.repeat(90), 'c'], 100)).toMatchObject({
    rows: 3,
    positions: [{ row: 0 }, { row: 1 }, { row: 2 }],
  })
  expect(layOutKeys([], 100)).toEqual({ positions: [], rows: 0 })
})
