import 'server-only'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rootDirectory } from '@/lib/server/settings/root-directory'

/** Folders of documents below `docs`, by the first part of their address. */
const FOLDERS = ['', 'decisions'] as const

export const docsDirectory = (): string => join(rootDirectory(), 'docs')

/** Files of a folder of `docs` with this ending. An address is only ever compared with them, so it leads to no other file. */
export const listDocs = async (folder: string, ending: string): Promise<string[]> => {
  const entries = await readdir(join(docsDirectory(), folder), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ name }) => (folder === '' ? name : `${folder}/${name}`))
}

/** Every document, by its path below `docs`: `sign-in.md`, `decisions/README.md`. */
export const listDocuments = async (): Promise<string[]> =>
  (await Promise.all(FOLDERS.map((folder) => listDocs(folder, '.md')))).flat()
