import { expect, test } from 'vitest'
import { hasTerms, searchTerms } from './search-terms'

test('a search text is its words in lower case, and blanks are none', () => {
  expect(searchTerms('  Tesla\tT4  cmp-01 ')).toEqual(['tesla', 't4', 'cmp-01'])
  expect(searchTerms(' \n ')).toEqual([])
})

test('a text has the words if each is a part of it, in any case and order', () => {
  expect(hasTerms('cmp-01 Tesla T4', searchTerms('t4 CMP'))).toBe(true)
  expect(hasTerms('cmp-01 Tesla T4', searchTerms('t4 cmp-02'))).toBe(false)
  expect(hasTerms('cmp-01', [])).toBe(true)
})
