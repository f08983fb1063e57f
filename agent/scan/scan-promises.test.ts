import * as nodeFs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { FileSystem } from '@/agent/collect/file-system'
import { scanFixture, scanTree, temporaryRoot } from '@/agent/testing/scan-fixture'
import { contentsOf, type TreeContents, writeContents } from '@/agent/testing/tree'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { FIXTURE_HOSTS } from '@/simulator/fixtures/all-hosts'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { vendorVfioHost } from '@/simulator/fixtures/vendor-vfio-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { renderHostTree } from '@/simulator/host-tree/render-host-tree'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createScanMemory } from './scan-host'

vi.setConfig({ testTimeout: 120_000 })

const SECRET = /hunter2|passwd|bearer|rabbit:\/\/|mysql/i

const hasSecret = (spec: HostSpec): boolean =>
  [...renderHostTree(spec).values()].some((entry) => entry.kind === 'file' && SECRET.test(entry.content))

describe.each(Object.entries(FIXTURE_HOSTS))('%s', (_name, spec) => {
  test('its secrets stay on the host', async () => {
    expect(hasSecret(spec)).toBe(true)
    expect(JSON.stringify(await scanFixture(spec))).not.toMatch(SECRET)
  })
})

describe('an unchanged host has an unchanged digest', () => {
  test('scan after scan, with and without memory', async () => {
    const root = temporaryRoot()
    writeHostTree(root, vendorVfioHost)
    const memory = createScanMemory()
    const digests = [
      await scanTree(root),
      await scanTree(root, { memory }),
      await scanTree(root, { memory }),
      await scanTree(root),
    ].map(inventoryDigest)
    expect(new Set(digests).size).toBe(1)
  })

  test('in any order of its files', async () => {
    const root = temporaryRoot()
    writeHostTree(root, vendorVfioHost)
    const backwards: FileSystem = {
      ...nodeFs,
      readdirSync: ((at: string, options: never) =>
        nodeFs.readdirSync(at, options).reverse()) as typeof nodeFs.readdirSync,
    }
    const inventory = await scanTree(root, { fs: backwards })
    expect(inventoryDigest(inventory)).toBe(inventoryDigest(await scanFixture(vendorVfioHost)))
  })

  test('and a changed one has another', async () => {
    const [guest, ...others] = kollaHost.guests
    if (guest === undefined) throw new Error('the fixture lost its guests')
    const without = await scanFixture({ ...kollaHost, guests: others })
    const paused = await scanFixture({ ...kollaHost, guests: [{ ...guest, state: 'paused' }, ...others] })
    const digests = [await scanFixture(kollaHost), without, paused].map(inventoryDigest)
    expect(new Set(digests).size).toBe(3)
  })
})

const NASTY: Record<string, string> = {
  nothing: '',
  'a NUL': '\u0000',
  'turned direction': '\u202e\u2028',
  'a number beyond the limit': '999999999999',
  'a negative number': '-1',
  'half a hexadecimal number': '0x',
  'several lines': 'a\n\u0000\nb',
  'half an XML': '<domain>',
  'half a JSON': '{"mdev_type":',
  'half a section': '[devices',
  'half a character': '\ud83d',
  '5,000 digits': '9'.repeat(5000),
  '2,000 emoji': '\u{1f600}'.repeat(2000),
  'long names': `Model: ${'x'.repeat(3000)}\nPRETTY_NAME=${'y'.repeat(3000)}\n`,
}

describe('any content of the files', () => {
  const bytes = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.uint8Array({ maxLength: 300 }).map((values) => Buffer.from(values).toString('latin1')),
    fc.constantFrom(...Object.values(NASTY)),
  )
  const entry: fc.Arbitrary<TreeContents[string] | null> = fc.oneof(
    bytes,
    fc
      .constantFrom(
        '/',
        '.',
        '..',
        '/nowhere',
        '../../../../../../../../../../../../etc',
        '/sys/bus/pci/devices',
        '/etc/hostname',
      )
      .map((link) => ({ link })),
    fc.constant({ folder: 0o755 }),
    fc.constant(null),
  )
  const base = contentsOf(
    renderHostTree({
      ...kollaHost,
      mdevDefinitions: [
        {
          uuid: '04413de6-1086-4659-95c7-6c507b81330c',
          parent: '0000:af:00.0',
          typeId: 'nvidia-105',
          start: 'auto',
        },
      ],
    }),
  )
  const paths = Object.keys(base)

  const isFolder = (held: TreeContents[string] | undefined): boolean =>
    typeof held === 'object' && !Buffer.isBuffer(held) && 'folder' in held

  /** What lies above it was replaced by something that holds nothing. */
  const isCutOff = (contents: TreeContents, at: string): boolean =>
    Object.entries(contents).some(([key, held]) => at.startsWith(`${key}/`) && !isFolder(held))

  /** Replaces entries; what lay below a replaced path goes with it. */
  const changed = (changes: [number, TreeContents[string] | null][]): TreeContents => {
    const contents = { ...base }
    for (const [at, replacement] of changes) {
      const path = paths[at % paths.length] ?? ''
      if (isCutOff(contents, path)) continue
      for (const key of Object.keys(contents)) if (key.startsWith(`${path}/`)) delete contents[key]
      delete contents[path]
      if (replacement !== null) contents[path] = replacement
    }
    return contents
  }

  test.each(Object.entries(NASTY))('%s in all of them', async (_name, content) => {
    const root = temporaryRoot()
    const files = Object.entries(base).filter(([, held]) => typeof held === 'string')
    writeContents(root, { ...base, ...Object.fromEntries(files.map(([path]) => [path, content])) })
    const inventory = await scanTree(root, { hostName: 'gpu01' })
    expect(JSON.stringify(inventory)).not.toContain(root)
  })

  test('the scan ends with an inventory that the contract accepts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), entry), { minLength: 1, maxLength: 40 }),
        async (changes) => {
          const root = temporaryRoot()
          try {
            writeContents(root, changed(changes))
            const inventory = await scanTree(root, { hostName: 'gpu01' })
            expect(JSON.stringify(inventory)).not.toContain(root)
          } finally {
            nodeFs.rmSync(root, { recursive: true, force: true })
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
