import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PGLITE_MAJOR_VERSION } from './open-pglite'
import { loadTemplate } from './pglite-template'
import { extractTar, filterTar } from './tar'

const migrations = [{ name: '1_one', sql: 'CREATE TABLE one (x int)', checksum: '1'.repeat(64) }]

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let directory: string
let template: Buffer
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sliceboard-template-'))
  await writeFile(join(directory, 'pglite-0.0.1-old.tar'), '')
  template = await loadTemplate({ cacheDirectory: join(directory), migrations })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test('the template is built once and replaces older ones', async () => {
  const names = await readdir(directory)
  expect(names).toHaveLength(1)
  expect(template.equals(await loadTemplate({ cacheDirectory: directory, migrations }))).toBe(true)
  const marked = Buffer.from('marked')
  await writeFile(join(directory, names[0] ?? ''), marked)
  expect(await loadTemplate({ cacheDirectory: directory, migrations })).toEqual(marked)
})

test('a cache that cannot be written is done without', async () => {
  const built = await loadTemplate({ cacheDirectory: '/proc/cache', migrations })
  expect(built.length).toBe(template.length)
})

test('an unpacked template is a cluster with the migrations in it', async () => {
  const cluster = join(directory, 'cluster')
  extractTar(template, cluster)
  const client = await PGlite.create({ dataDir: cluster })
  const { rows } = await client.query(
    `SELECT to_regclass('one') IS NOT NULL AS has, current_setting('server_version') AS version`,
  )
  await client.close()
  expect(rows).toEqual([
    { has: true, version: expect.stringMatching(new RegExp(`^${PGLITE_MAJOR_VERSION}\\.`)) },
  ])
})

test('of a template a part can be taken', async () => {
  const part = join(directory, 'part')
  extractTar(
    filterTar(template, (name) => /^global($|\/)/.test(name)),
    part,
  )
  expect(await readdir(part)).toEqual(['global'])
  expect(await readdir(join(part, 'global'))).toContain('pg_control')
})

test('a template that was cut off is not taken for a whole one', () => {
  const cut = template.subarray(0, template.length - 100_000)
  expect(() => extractTar(cut, join(directory, 'cut'))).toThrow('cut off')
})
