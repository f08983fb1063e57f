import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attackedOutputs } from '@/lib/services/testing/hostile/attacked-outputs'
import { isForeign } from '@/lib/services/testing/hostile/parse-formats'
import { hostFile, labHosts } from './lab-cloud'
import { madeOf, openNovaReader } from './nova-reader'

const ask = openNovaReader()
const folder = hostFile(labHosts()[0] ?? '', 'hostile')
beforeAll(() => mkdirSync(folder, { recursive: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads no section and no option of an attack in any text for nova.conf', async () => {
  const texts = (await attackedOutputs({ seed: 1, rounds: 3 })).filter(({ format }) => format === 'ini')
  expect(texts.length).toBeGreaterThan(20)
  const file = path.join(folder, 'nova.conf')
  for (const { name, text } of texts) {
    // Some are options to add to a section that the file has.
    writeFileSync(file, `[pci]\n${text}`)
    const sections = madeOf(await ask('sections', [file])) as Record<string, string[]>
    const names = Object.entries(sections).flatMap(([section, options]) => [section, ...options])
    expect(names.filter(isForeign), name).toEqual([])
  }
})
