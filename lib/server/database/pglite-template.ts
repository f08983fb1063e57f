import 'server-only'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import { applyMigrations } from './apply-migrations'
import { type Migration, migrationsFingerprint } from './read-migrations'
import { pgliteSession } from './session'
import { packTar } from './tar'

type TemplateInput = { cacheDirectory: string; migrations: readonly Migration[] }

// The package does not export its package.json.
const pgliteVersion = (): string => {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const description = readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(description)).version
}

// Through a folder, because PGlite's own dump is one of a running cluster: each start from it would begin with a recovery
// that syncs a thousand files.
const buildTemplate = async (migrations: readonly Migration[]): Promise<Buffer> => {
  const parent = await mkdtemp(join(tmpdir(), 'sliceboard-template-'))
  try {
    const directory = join(parent, 'pglite')
    const client = await PGlite.create({ dataDir: directory })
    await applyMigrations({ session: pgliteSession(client), migrations })
    await client.close()
    return packTar(directory)
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

const removeOlder = async (cacheDirectory: string, newest: string): Promise<void> => {
  const names = await readdir(cacheDirectory)
  const older = names.filter((name) => /^pglite-.*\.tar$/.test(name) && name !== newest)
  await Promise.all(older.map((name) => rm(join(cacheDirectory, name), { force: true })))
}

const keepTemplate = async (path: string, template: Buffer): Promise<void> => {
  const cacheDirectory = dirname(path)
  const unfinished = `${path}.${process.pid}`
  try {
    await mkdir(cacheDirectory).catch(() => undefined)
    const file = await open(unfinished, 'w')
    await file.writeFile(template)
    await file.sync()
    await file.close()
    await rename(unfinished, path)
    await removeOlder(cacheDirectory, basename(path))
  } catch {
    // Only a cache: where it cannot be written, each first start takes the seconds itself.
    await rm(unfinished, { force: true }).catch(() => undefined)
  }
}

/** The empty, migrated cluster as a tar file: initdb takes seconds and 0.8 GB, unpacking this a quarter of a second. */
export const loadTemplate = async ({ cacheDirectory, migrations }: TemplateInput): Promise<Buffer> => {
  const name = `pglite-${pgliteVersion()}-${migrationsFingerprint(migrations)}.tar`
  const path = join(cacheDirectory, name)
  const cached = await readFile(path).catch(() => null)
  if (cached) return cached
  const template = await buildTemplate(migrations)
  await keepTemplate(path, template)
  return template
}
