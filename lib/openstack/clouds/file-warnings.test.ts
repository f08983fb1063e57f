import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listCloudWarnings } from './file-warnings'

const folder = mkdtempSync(join(tmpdir(), 'sliceboard-modes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileWith = (name: string, mode: number): string => {
  const file = join(folder, name)
  writeFileSync(file, 'clouds: {}')
  chmodSync(file, mode)
  return file
}

test('a file that others can read is named with its mode, also of the group, and also secure.yaml', async () => {
  const [open, group, own] = [
    fileWith('clouds.yaml', 0o644),
    fileWith('secure.yaml', 0o640),
    fileWith('own.yaml', 0o600),
  ]
  const warnings = await listCloudWarnings({ files: [open, group, own], clouds: [] })
  expect(warnings).toHaveLength(2)
  expect(warnings[0]).toMatch(/clouds\.yaml has mode 0644.*chmod 600/)
  expect(warnings[1]).toMatch(/secure\.yaml has mode 0640/)
})

test('a cloud whose certificates are not checked is named', async () => {
  const clouds = [
    { name: 'paris', verify: false },
    { name: 'rome', verify: true },
  ]
  expect(await listCloudWarnings({ files: [], clouds })).toEqual([
    expect.stringMatching(
      /^Cloud "paris" has "verify: false" or "insecure: true": certificates are not checked/,
    ),
  ])
})
