import { expect, test } from 'vitest'
import { hasWords, searchWords } from './search-words'

test('a search text is its words in lower case, and blanks are none', () => {
  expect(searchWords('  Tesla\tT4  cmp-01 ')).toEqual(['tesla', 't4', 'cmp-01'])
  expect(searchWords(' \n ')).toEqual([])
})

test('a text has the words if each is a part of it, in any case and order', () => {
  expect(hasWords('cmp-01 Tesla T4', searchWords('t4 CMP'))).toBe(true)
  expect(hasWords('cmp-01 Tesla T4', searchWords('t4 cmp-02'))).toBe(false)
  expect(hasWords('cmp-01', [])).toBe(true)
})
