import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json'
import { listSources } from './house-measures'
import { existsBelow, findDeadEnds, findLooseRows } from './read-docs'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDERS = ['', 'docs', 'docs/decisions']

const pages = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') })),
)

test('every link, picture, npm script, path and test of the documentation leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(30)
  const scripts = new Set(Object.keys(manifest.scripts))
  const tests = new Set(listSources(ROOT).map((file) => path.basename(file)))
  expect(findDeadEnds({ pages, scripts, tests, exists: existsBelow(ROOT) })).toEqual([])
})

test('what leads nowhere is named', () => {
  const text =
    '# A `b`, c\n[here](#a-b-c) [there](#d) [gone](gone.md) <img src="no.png">\n`lib/gone.ts` npm run gone https://x.org `a.test.ts` `no.test.ts`'
  expect(
    findDeadEnds({
      pages: [{ file: 'docs/x.md', text }],
      scripts: new Set(['here']),
      tests: new Set(['a.test.ts']),
      exists: (file) => file === 'docs/x.md',
    }),
  ).toEqual([
    'docs/x.md links to #d, and docs/x.md has no such heading',
    'docs/x.md links to gone.md, and there is no docs/gone.md',
    'docs/x.md links to no.png, and there is no docs/no.png',
    'docs/x.md: there is no npm run gone',
    'docs/x.md names the test no.test.ts, which is not there',
    'docs/x.md names lib/gone.ts, which is not there',
  ])
})

test('every row is in its table', () => {
  expect(pages.flatMap(findLooseRows)).toEqual([])
  const text = '| a |\n| --- |\n| 1 |\n\n| 2 |\n'
  expect(findLooseRows({ file: 'docs/x.md', text })).toEqual(['docs/x.md:5'])
})
