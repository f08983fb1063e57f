import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from './load-secrets'

const LONG = 'a'.repeat(32)
let dataDirectory: string

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'sliceboard-secret-'))
})
afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

test('without a setting one is made, kept, and readable by its owner alone', async () => {
  const folder = join(dataDirectory, 'new')
  const first = await loadSecrets({ secret: null, dataDirectory: folder })
  expect(first).toHaveLength(1)
  expect(await loadSecrets({ secret: null, dataDirectory: folder })).toEqual(first)
  expect((await stat(join(folder, 'session-secret'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['session-secret'])
})

test('a setting goes before the file and may carry older secrets', async () => {
  const secret = `${'b'.repeat(40)}  ${LONG}`
  expect(await loadSecrets({ secret, dataDirectory })).toEqual(['b'.repeat(40), LONG])
  expect(await readdir(dataDirectory)).toEqual([])
})

test('a short secret is refused without being printed', async () => {
  const refusal = loadSecrets({ secret: `${LONG} hunter2`, dataDirectory })
  await expect(refusal).rejects.toThrow(/SLICEBOARD_SECRET must hold .* at least 32 characters/)
  await expect(refusal).rejects.not.toThrow(/hunter2/)
})

test('a file that others may read is refused', async () => {
  const path = join(dataDirectory, 'session-secret')
  await writeFile(path, LONG)
  await chmod(path, 0o640)
  await expect(loadSecrets({ secret: null, dataDirectory })).rejects.toThrow(/mode 640.*chmod 600/)
})

test('consoles that start at once agree on one', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => loadSecrets({ secret: null, dataDirectory })))
  expect(new Set(all.flat()).size).toBe(1)
  expect(await readdir(dataDirectory)).toEqual(['session-secret'])
})
