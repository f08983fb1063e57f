import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from './json'
import { anyText, UNSAFE } from './testing/hostile-text'

test('a value is read back as it was, without control characters in the text', () => {
  fc.assert(
    fc.property(anyText(), fc.constantFrom(0, 2), (text, indent) => {
      const value = { [text]: [text, 1, null] }
      const json = jsonText(value, indent)
      expect(JSON.parse(json)).toEqual(value)
      expect(json.replaceAll(indent === 0 ? '' : '\n', '')).not.toMatch(UNSAFE)
    }),
  )
})
