import { expect, test } from 'vitest'
import { migProfileOf, parseTypeName } from './type-name'

test.each([
  ['A100-1-5C', '1g.5gb'],
  ['A100-1-5CME', '1g.5gb+me'],
  ['H100-7-80C', '7g.80gb'],
  ['A30-4-24C', '4g.24gb'],
  ['DC-1-24QNOME', '1g.24gb-me'],
  ['A100-4C', null],
])('%s fills a GPU instance of profile %s', (name, profile) => {
  const parsed = parseTypeName(name)
  expect(parsed === null ? undefined : migProfileOf(parsed)).toBe(profile)
})
