import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { buildId } from '../build-id.mjs'

test('the id of a build is equal for equal sources, and differs after each change', () => {
  const root = makeTemporaryDirectory('build')
  try {
    mkdirSync(join(root, 'app'))
    for (const name of ['next.config.mjs', 'package-lock.json', 'server.ts', 'app/page.tsx'])
      writeFileSync(join(root, name), name)
    const first = buildId(root)
    expect(first).toMatch(/^[0-9a-f]{20}$/)
    expect(buildId(root)).toBe(first)
    writeFileSync(join(root, 'app/page.tsx'), 'other')
    expect(buildId(root)).not.toBe(first)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
