import 'server-only'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of documents below `docs`, by the first part of their address. */
const FOLDERS = ['', 'decisions'] as const

/** `root`: Sliceboard's own folder. */
export const docsDirectory = (root: string): string => join(root, 'docs')

/** Files of a folder of `docs` with this ending. An address is compared with them, so it leads to no other file. */
export const listDocs = async (root: string, folder: string, ending: string): Promise<string[]> => {
  const entries = await readdir(join(docsDirectory(root), folder), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ name }) => (folder === '' ? name : `${folder}/${name}`))
}

/** Every document, by its path below `docs`: `sign-in.md`, `decisions/README.md`. */
export const listDocuments = async (root: string): Promise<string[]> =>
  (await Promise.all(FOLDERS.map((folder) => listDocs(root, folder, '.md')))).flat()
