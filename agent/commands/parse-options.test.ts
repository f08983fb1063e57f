import { expect, test } from 'vitest'
import { parseOptions } from './parse-options'

const OPTIONS = { hostname: { type: 'string' }, pretty: { type: 'boolean' } } as const

test('values by name', () => {
  expect(parseOptions('scan', ['--hostname=gpu01', '--pretty'], OPTIONS)).toEqual({
    hostname: 'gpu01',
    pretty: true,
  })
})

test.each([
  [['--nope'], '"--nope" is not an option of "scan"; see "sliceboard-agent --help".'],
  [['-q'], '"-q" is not an option of "scan"; see "sliceboard-agent --help".'],
  [['--hostname'], '"--hostname" of "scan" needs a value; see "sliceboard-agent --help".'],
  [['--hostname', '--pretty'], '"--hostname" of "scan" needs a value; see "sliceboard-agent --help".'],
  [['--pretty=yes'], '"--pretty" of "scan" takes no value; see "sliceboard-agent --help".'],
  [['extra'], '"scan" takes options only, each beginning with "--"; see "sliceboard-agent --help".'],
])('%j is one sentence', (words, sentence) => {
  expect(() => parseOptions('scan', words, OPTIONS)).toThrow(sentence)
})
