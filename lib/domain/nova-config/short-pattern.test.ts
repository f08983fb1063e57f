import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readShortPattern } from './short-pattern'

const matches = (pattern: string, text: string): boolean | null => readShortPattern(pattern)?.(text) ?? null

test.each([
  ['.*', '0000', true],
  ['', '0000', true],
  ['0a|0b', '0b', true],
  ['0a|0b', '0c', false],
  ['0[1-4]', '03', true],
  ['0[^1-4]', '03', false],
  ['[]0]', ']', true],
  ['0', '0a', true],
  ['0$', '0a', false],
  ['^0a$', '0a', true],
  ['(?:0|1){2}', '0a', false],
  ['(?:0|1){2,}', '01', true],
  ['[0-9a-f]+?', '0a', true],
  ['\\d\\w\\.', '0a.', true],
  ['\\D', '0', false],
])('%s on %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected)
})

test.each(['(', ')', '[0', '*', '0**', '(?=0)', '(?<n>0)', '(0)\\1', '\\b', '0{3,1}', '[b-a]', '0{', '\\'])(
  '%s is none that is read',
  (pattern) => {
    expect(readShortPattern(pattern)).toBeNull()
  },
)

const atom = fc.constantFrom('0', 'a', '.', '[0-9]', '[^a]', '\\d', '(?:)', '^', '$')
const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,3}', '{1,}', '{5}', '*?')
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2 },
    fc.tuple(atom, times).map(([one, often]) => (/^[$^]$/.test(one) ? one : one + often)),
    fc.tuple(tie('pattern'), times).map(([inner, often]) => `(?:${inner})${often}`),
  ),
  pattern: fc.oneof(
    { maxDepth: 2 },
    tie('part'),
    fc.tuple(tie('part'), tie('part')).map(([one, other]) => one + other),
    fc.tuple(tie('part'), tie('part')).map(([one, other]) => `${one}|${other}`),
  ),
}))

test('it finds what JavaScript finds', () => {
  const text = fc.string({ unit: fc.constantFrom('0', 'a', '1'), maxLength: 4 })
  fc.assert(
    fc.property(pattern, text, (written, field) => {
      expect(matches(written, field)).toBe(new RegExp(`^(?:${written})`).test(field))
    }),
    { numRuns: 2000 },
  )
})

test('no pattern takes longer than another of its length', () => {
  const startedAt = performance.now()
  for (const hostile of [
    '(?:.?){99}x',
    '(?:(?:(?:a?){999}){999}){999}b',
    '(((.*)*)*)*x',
    `${'(?:'.repeat(9)}.?${'){99}'.repeat(9)}x`,
  ])
    expect(matches(hostile, '0000')).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
