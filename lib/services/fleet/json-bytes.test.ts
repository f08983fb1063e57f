import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UNKNOWN } from './card-table'
import { createJsonBytes } from './json-bytes'

const integer = fc.oneof(fc.nat(20), fc.integer({ min: -2_147_483_647, max: 2_147_483_647 }))

test('any integers and nulls come back from JSON.parse as they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.option(integer, { nil: null })), (values) => {
      const json = createJsonBytes(0)
      json.integers(Int32Array.from(values, (value) => value ?? UNKNOWN))
      expect(JSON.parse(json.finish().toString())).toEqual(values)
    }),
  )
})

test('text of any width grows the buffer as it needs', () => {
  const text = 'Ü€🙂'.repeat(5000)
  const json = createJsonBytes(0)
  json.text(JSON.stringify(text))
  expect(JSON.parse(json.finish().toString())).toBe(text)
})
