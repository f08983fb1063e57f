import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLOUD_REFERENCES } from '@/lib/domain/findings/cloud/registry'
import { HOST_DETECTORS, HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { SEVERITIES, type Severity } from '@/lib/schemas/severity'
import { root } from '../supply-chain/read-lockfile'
import { findingsPage } from './findings-page'
import { readLabTest, readLabTests, readVerifiedReleases } from './lab-tests'

const page = readFileSync(join(root, 'docs', 'findings.md'), 'utf8')

describe('docs/findings.md', () => {
  test('is current', () => {
    const current = findingsPage(readLabTests(), readVerifiedReleases())
    expect(page === current, 'docs/findings.md is outdated: run npm run docs:findings').toBe(true)
  })

  test('has a section for every finding', () => {
    const codes = [...Object.keys(HOST_FINDINGS), ...CLOUD_REFERENCES.map(({ code }) => code)]
    const sections = [...page.matchAll(/^### `(.+)`$/gm)].map(([, code]) => code)
    expect(sections.toSorted()).toEqual(codes.toSorted())
  })
})

/** The severities that the files of a folder contain, by the codes that each file declares. */
const severitiesInCode = (folder: string, codes: readonly string[]) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, folder, file), 'utf8')
      const own = codes.filter((code) => file === `${code}.ts` || text.includes(`    '${code}': {\n`))
      const detector = text.replace(/severities: \[[^\]]*\]/g, '')
      const found = SEVERITIES.filter((severity) => detector.includes(`'${severity}'`))
      return own.length === 0 || found.length === 0 ? [] : [{ file, own, found }]
    })

const inOrder = (severities: readonly Severity[]) => SEVERITIES.filter((each) => severities.includes(each))

describe('the severities of a reference', () => {
  test('of a host are those of its detector', () => {
    const codes = HOST_DETECTORS.flatMap(({ findings }) => Object.keys(findings))
    const files = severitiesInCode('lib/domain/host-findings', codes)
    expect(files.length).toBeGreaterThan(20)
    for (const { file, own, found } of files)
      expect(inOrder(own.flatMap((code) => HOST_FINDINGS[code]?.severities ?? [])), file).toEqual(found)
  })

  test('of a cloud are those of its detector', () => {
    const references = new Map(CLOUD_REFERENCES.map(({ code, reference }) => [code, reference]))
    const files = severitiesInCode('lib/domain/findings/cloud', [...references.keys()])
    expect(files.length).toBeGreaterThan(20)
    for (const { file, own, found } of files)
      expect(inOrder(own.flatMap((code) => references.get(code)?.severities ?? [])), file).toEqual(found)
  })
})

describe('a lab test', () => {
  const text = [
    "const newer = onlyOn('2025.1', 'reason')",
    "it.skipIf(newer.isSkipped)('is found', () => expectFound({ code: 'max-low' }))",
    "it('is found', () => expectFound({ code: 'iommu-off' }))",
    "const ofRelease = LAB_RELEASE === 'zed' ? ['no-target'] : []",
    "expect(codes).not.toContain('vfs-off')",
    "const latest = fromRelease(\n  '2026.1',\n  'reason',\n)",
    "it.skipIf(latest.isSkipped)('is found', () => expectFound({ code: 'used-once' }))",
    "const older = beforeRelease('2026.1', 'reason')",
    "it.skipIf(older.isSkipped)('is found', () => expectFound({ code: 'first-only' }))",
  ].join('\n')

  test('verifies a finding on every release, or on those that it is limited to', () => {
    expect(readLabTest('a.test.ts', text)).toEqual([
      { code: 'max-low', file: 'a.test.ts', release: '2025.1' },
      { code: 'iommu-off', file: 'a.test.ts', release: null },
      { code: 'no-target', file: 'a.test.ts', release: 'zed' },
      { code: 'used-once', file: 'a.test.ts', release: '2026.1+' },
      { code: 'first-only', file: 'a.test.ts', release: '<2026.1' },
    ])
  })

  test('has the limit of its group', () => {
    const group = [
      "const newer = onlyOn('2025.1', 'reason')",
      "describe.skipIf(newer.isSkipped)('a newer release', () => {",
      "  it('is found', () => expectFound({ code: 'max-low' }))",
      "  it('is found too', () => expectFound({ code: 'iommu-off' }))",
      '})',
      "it('is found', () => expectFound({ code: 'vfs-off' }))",
    ].join('\n')
    expect(readLabTest('a.test.ts', group).map(({ code, release }) => [code, release])).toEqual([
      ['max-low', '2025.1'],
      ['iommu-off', '2025.1'],
      ['vfs-off', null],
    ])
  })
})

describe('the releases of a finding', () => {
  const releases = [
    { name: 'zed', nova: '26', changedSince: [] },
    { name: '2025.1', nova: '31', changedSince: ['changed.test.ts'] },
  ]
  const pageOf = (file: string, release: string | null) =>
    findingsPage([{ code: 'iommu-off', file, release }], releases)

  test.each([
    { limit: '2025.1', listed: 'Nova 31 (2025.1)' },
    { limit: '2024.2+', listed: 'Nova 31 (2025.1)' },
    { limit: '<2025.1', listed: 'Nova 26 (zed)' },
    { limit: '<2026.1', listed: 'Nova 26 (zed), Nova 31 (2025.1)' },
    { limit: null, listed: 'Nova 26 (zed), Nova 31 (2025.1)' },
  ])('of a test that is limited to $limit are $listed', ({ limit, listed }) => {
    expect(pageOf('a.test.ts', limit)).toContain(`Verified on: ${listed}: \`a.test.ts\``)
  })

  test('do not include a release on which the changed test did not run', () => {
    expect(pageOf('changed.test.ts', null)).toContain('Verified on: Nova 26 (zed): `changed.test.ts`')
  })

  test('are empty without a lab test', () => {
    expect(pageOf('a.test.ts', null)).toMatch(/### `clock-off`[^#]*Verified on: Not verified in the lab/)
  })
})
