import 'server-only'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Sliceboard's own folder: the nearest one above this file (source or bundle) that holds the migrations. */
export const rootDirectory = (): string => {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, 'prisma', 'migrations'))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error('The folder prisma/migrations is missing next to Sliceboard.')
    directory = parent
  }
  return directory
}
