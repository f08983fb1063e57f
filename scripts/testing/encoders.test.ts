import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listSources } from './house-measures'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = 'lib/util/encode/'
const sources = listSources(ROOT)
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|spec)\.|\/testing\//.test(file))
  .filter((file) => /^(app|components|lib)\//.test(file) && !file.startsWith(FOLDER))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))

const filesWith = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('only the encoders create encoded text', () => {
  expect(sources.length).toBeGreaterThan(1000)
  expect(filesWith(/\b(?:trusted|tagFor)\b[^;]*from '@\/lib\/util\/encode\/encoded'/)).toEqual([])
  expect(filesWith(/\bas (?:unknown as )?Encoded\b/)).toEqual([])
})

/** Each gives the guarantee that storedText requires. */
const READ_BACK = [
  'components/change/config-texts.tsx',
  'lib/domain/plans/stored-plan.ts',
  'lib/services/finding/finding-row.ts',
  'lib/services/review/export-review.ts',
]

test('encoded text is read back in the listed files only', () => {
  expect(filesWith(/\bstoredText\b/).toSorted()).toEqual(READ_BACK)
})

/** A template without a tag that begins as a command does, and has a value in it. */
const COMMAND =
  /(?<![\w)\]])`(?:openstack|nova-manage|virsh|mdevctl|systemctl|kubectl|juju|driverctl|sudo|ssh|curl|echo|printf|rm|cat) [^`]*\$\{/

test('no command is built from a template without a tag', () => {
  expect(filesWith(COMMAND)).toEqual([])
  expect(filesWith(/<<\s*-?'?[A-Z]+'?\\n/)).toEqual([])
})

test('what begins as a command is found', () => {
  expect(COMMAND.test(`const a = \`openstack flavor set $\{name}\``)).toBe(true)
  expect(COMMAND.test(`const a = sh\`openstack flavor set $\{name}\``)).toBe(false)
})
