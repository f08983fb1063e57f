import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

type Rules = { forbidden: readonly { name: string }[] }

const { forbidden }: Rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')

const modules = readdirSync('lib/domain', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
  .map(({ name }) => name)

const documented = (readFileSync('docs/architecture.md', 'utf8').split('### Modules of lib/domain')[1] ?? '')
  .split('\n\n')
  .filter((paragraph) => paragraph.startsWith('| module'))
  .slice(0, 1)
  .flatMap((table) => [...table.matchAll(/^\| `([a-z-]+)\/`/gm)].map((match) => match[1]))

test('each folder of lib/domain is in the list of modules', () => {
  expect(documented.toSorted()).toEqual(modules.toSorted())
})

test('the layer check uses the order of the list', () => {
  const enforced = forbidden
    .filter(({ name }) => name.startsWith('domain-order-'))
    .map(({ name }) => name.slice('domain-order-'.length))
  // Nothing comes after the last module, so it has no rule.
  expect(enforced).toEqual(['root', ...documented.slice(0, -1)])
})
