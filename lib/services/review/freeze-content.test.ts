import { expect, test } from 'vitest'
import { freezeContent } from './review-rows'

test('a frozen review holds no control character, and is read back as it was', () => {
  const content = { name: 'a\u202e\u001b[31m\u2028', count: 1 }
  const { text } = freezeContent(content)
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(JSON.parse(text)).toEqual(content)
})
