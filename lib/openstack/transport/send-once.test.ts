import { expect, test } from 'vitest'
import { parseJson } from './send-once'

test('NUL and lone surrogates become replacement characters, in keys too', () => {
  expect(parseJson('{"a\\u0000": ["x\\u0000y", {"b": "\\ud800"}, "\\udfff."], "n": 1}')).toEqual({
    'a\ufffd': ['x\ufffdy', { b: '\ufffd' }, '\ufffd.'],
    n: 1,
  })
})

test('pairs of surrogates and all other characters stay', () => {
  for (const value of [['\u{1f600}', 'é\u202e\n', '\\u0000'], null, 'x', { a: null }])
    expect(parseJson(JSON.stringify(value))).toEqual(value)
  expect(parseJson('"\\ud83d\\ude00"')).toBe('\u{1f600}')
})
