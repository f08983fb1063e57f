import 'server-only'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Migration = {
  /** Name of the folder, e.g. `20261121060000_initial`; their order is the order of application. */
  name: string
  sql: string
  /** SHA-256 of the file in hex, as Prisma writes it into `_prisma_migrations`. */
  checksum: string
}

/** The standard folder of Prisma: one folder a migration, each with a `migration.sql`. */
export const readMigrations = async (directory: string): Promise<Migration[]> => {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** One short name for a set of migrations: what a cached empty database was built from. */
export const migrationsFingerprint = (migrations: readonly Migration[]): string => {
  const hash = createHash('sha256')
  for (const migration of migrations) hash.update(`${migration.name} ${migration.checksum}\n`)
  return hash.digest('hex').slice(0, 16)
}
