import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const TABLE = 'lib/domain/nova-config/nova-releases.ts'
/** They choose the microversion of a request, which is no rule of a release. */
const MICROVERSIONS = /^(lib\/openstack\/|simulator\/)/

const files = execFileSync('git', ['ls-files', 'lib', 'components', 'app', 'agent'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file))
  .filter((file) => file !== TABLE && !MICROVERSIONS.test(file))

test('only the table of releases compares releases of Nova', () => {
  const own = files.filter((file) => {
    const text = readFileSync(file, 'utf8')
    // A microversion that is taken apart, compared with one, or a release that is compared with a number.
    return (
      /\^2\\\.\(/.test(text) ||
      /isAtLeast\([^)]*(versions\.nova|novaVersion)/.test(text) ||
      /\b(release|range\.(min|max))\s*[<>]=?\s*\d/.test(text)
    )
  })
  expect(own).toEqual([])
})

test('each entry of the table cites its source', () => {
  const table = readFileSync(TABLE, 'utf8')
  const entries = table.match(/^ {2}\w+: \{$[^}]*\}/gm) ?? []
  expect(entries.length).toBeGreaterThan(20)
  expect(entries.filter((entry) => !/source:\s*'[^']{10,}'/.test(entry))).toEqual([])
})
