import 'server-only'
import { constants } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { StartError } from '@/lib/server/errors/start-error'
import { durableOptions } from './durable-node-fs'
import { extractTar } from './tar'

/** Major version of the PostgreSQL inside PGlite; a folder of another one cannot be opened. */
export const PGLITE_MAJOR_VERSION = '18'

const syncPath = async (path: string): Promise<void> => {
  const file = await open(path, constants.O_RDONLY)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const syncDirectories = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncDirectories(join(directory, entry.name))
  }
  await syncPath(directory)
}

const readVersion = async (cluster: string): Promise<string | null> => {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Built in a temporary folder and renamed, so that a crash leaves no partial cluster under the final name. */
const createCluster = async (cluster: string, template: Buffer): Promise<void> => {
  const unfinished = `${cluster}.new`
  await rm(unfinished, { recursive: true, force: true })
  extractTar(template, unfinished)
  await syncDirectories(unfinished)
  await rename(unfinished, cluster)
  await syncPath(join(cluster, '..'))
}

/** The cluster in `<dataDirectory>/pglite`, made from the template at first start. */
export const openCluster = async ({
  dataDirectory,
  template,
}: {
  dataDirectory: string
  template: () => Promise<Buffer>
}): Promise<PGlite> => {
  const cluster = join(dataDirectory, 'pglite')
  const version = await readVersion(cluster)
  if (version === null) await createCluster(cluster, await template())
  else if (version !== PGLITE_MAJOR_VERSION) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${version}, but this version of Sliceboard has PostgreSQL ${PGLITE_MAJOR_VERSION}: start the Sliceboard that made it, or use an empty data folder.`,
    )
  }
  try {
    return await PGlite.create(durableOptions(cluster))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The database in ${cluster} cannot be opened (${reason}): restore the folder from a backup, or start with an empty data folder.`,
    )
  }
}
