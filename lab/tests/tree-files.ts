import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Repair } from './break'
import { treeOf } from './lab-cloud'

/** Writes a file into the tree of a host. The result deletes it. */
export const addFile = (host: string, file: string, text: string): Repair => {
  const at = path.join(treeOf(host), file)
  mkdirSync(path.dirname(at), { recursive: true })
  writeFileSync(at, text)
  return () => rmSync(at, { force: true })
}

/** Adds a folder with files to the tree of a host. The result deletes the folder. */
export const addFolder = (host: string, folder: string, files: Readonly<Record<string, string>>): Repair => {
  for (const [name, text] of Object.entries(files)) addFile(host, path.join(folder, name), text)
  return () => rmSync(path.join(treeOf(host), folder), { recursive: true, force: true })
}
