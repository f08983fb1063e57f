import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { UsedOf } from './used-of'

const reason = 'none of its VFs has a vGPU type'
const textOf = (numbers: { used: number | null; capacity: number | null; range?: [number, number] }) =>
  renderToStaticMarkup(<UsedOf range={null} reason={reason} {...numbers} />).replaceAll(/<[^>]+>/g, '')

test('used of capacity', () => {
  expect(textOf({ used: 9, capacity: 12 })).toBe('9 / 12')
  expect(textOf({ used: null, capacity: 12 })).toBe(`– unknown: ${reason} / 12`)
  expect(textOf({ used: 3, capacity: null })).toBe(`3 / – unknown: ${reason}`)
})

test('a card without a type has the range of its types for a capacity', () => {
  expect(textOf({ used: 0, capacity: null, range: [1, 32] })).toBe('0 / 1–32')
  expect(textOf({ used: 0, capacity: null, range: [4, 4] })).toBe('0 / 4')
})

test('an empty card with an unknown capacity is only a dash', () => {
  expect(textOf({ used: 0, capacity: null })).toBe(`– unknown: ${reason}`)
  expect(textOf({ used: null, capacity: null, range: [1, 32] })).toBe(`– unknown: ${reason}`)
})
