import { expect, it } from 'vitest'
import { splitList } from './effective-options'

it('drops commas at the end and the spaces around each entry', () => {
  expect(splitList(' a, b ,c,,, ')).toEqual(['a', 'b', 'c'])
  expect(splitList('a,,b')).toEqual(['a', '', 'b'])
})

it.each(['', ' ', ',', ',,,'])('finds no entry in %j', (value) => {
  expect(splitList(value)).toEqual([])
})

it('is done with commas that do not end the value, in many options of a report', () => {
  const value = `${','.repeat(16_383)}x`
  for (let option = 0; option < 192; option += 1) expect(splitList(value)).toHaveLength(16_384)
})
