import { expect, test } from 'vitest'
import { readUnicodeRange } from './picture-fonts'

test('ranges are read as style sheets write them', () => {
  expect(readUnicodeRange('U+0-FF, U+131, U+1F??')).toEqual([
    [0, 0xff],
    [0x131, 0x131],
    [0x1f00, 0x1fff],
  ])
  expect(readUnicodeRange('')).toEqual([])
})
