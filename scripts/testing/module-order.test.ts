import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'

type Rules = { forbidden: readonly { name: string }[] }

const { forbidden }: Rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')
const list = readFileSync('docs/modules.md', 'utf8')

/** `prisma-client` is generated, `testing` is for tests. */
const NO_MODULES = ['prisma-client', 'testing']

const foldersOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_MODULES.includes(entry.name))
    .map(({ name }) => name)

const documentedOf = (folder: string): string[] => {
  const [, section = ''] = list.split(`## Modules of ${folder}\n`)
  const [table = ''] = section.split('\n\n').filter((paragraph) => paragraph.startsWith('| module'))
  return [...table.matchAll(/^\| `([a-z-]+)\/`/gm)].map(([, name = '']) => name)
}

describe.each([
  { folder: 'lib/domain', prefix: 'domain-order-' },
  { folder: 'lib/services', prefix: 'service-order-' },
  { folder: 'lib/server', prefix: 'server-order-' },
])('$folder', ({ folder, prefix }) => {
  const documented = documentedOf(folder)

  test('each folder is in the list of modules', () => {
    expect(documented.toSorted()).toEqual(foldersOf(folder).toSorted())
  })

  test('the layer check uses the order of the list', () => {
    const enforced = forbidden
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name }) => name.slice(prefix.length))
    // Nothing comes after the last module, so it has no rule.
    expect(enforced).toEqual(['root', ...documented.slice(0, -1)])
  })
})
