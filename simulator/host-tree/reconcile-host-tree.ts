import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec } from './host-spec'
import { renderHostTree } from './render-host-tree'
import type { Tree, TreeEntry } from './tree'
import { replaceEntry, SCRATCH_DIRECTORY, writeHostTree } from './write-host-tree'

const matches = (file: string, entry: TreeEntry): boolean => {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (entry.kind === 'link') return found.isSymbolicLink() && readlinkSync(file) === entry.target
  if ((found.mode & 0o777) !== entry.mode) return false
  if (entry.kind === 'directory') return found.isDirectory()
  if (!found.isFile()) return false
  return entry.content === '' ? found.size === 0 : readFileSync(file, 'utf8') === entry.content
}

/** Every path that the tree needs, the parents of its entries included. */
const neededPaths = (tree: Tree): Set<string> => {
  const needed = new Set<string>([SCRATCH_DIRECTORY, '/.sliceboard/kernel.log'])
  for (const at of [...tree.keys(), SCRATCH_DIRECTORY]) {
    for (let part = at; part !== '/' && !needed.has(part); part = path.dirname(part)) needed.add(part)
  }
  return needed
}

const removeUnneeded = (root: string, directory: string, needed: Set<string>): void => {
  for (const entry of readdirSync(path.join(root, directory), { withFileTypes: true })) {
    const at = path.posix.join(directory, entry.name)
    if (!needed.has(at)) rmSync(path.join(root, at), { recursive: true, force: true })
    else if (entry.isDirectory() && at !== SCRATCH_DIRECTORY) removeUnneeded(root, at, needed)
  }
}

/** Directories without permissions would hide what lies below from an ordinary user. */
const openClosedDirectories = (root: string, tree: Tree): void => {
  for (const [at, entry] of tree) {
    if (entry.kind !== 'directory' || (entry.mode & 0o700) === 0o700) continue
    const found = lstatSync(path.join(root, at), { throwIfNoEntry: false })
    if (found?.isDirectory() === true) chmodSync(path.join(root, at), 0o700)
  }
}

/**
 * Brings everything below `root` to a host's state and does not touch what is right already. Writing the whole tree
 * again after a removal would take minutes on ext4 (see `makeTemporaryDirectory`).
 */
export const reconcileHostTree = (root: string, spec: HostSpec): void => {
  if (!existsSync(root)) {
    writeHostTree(root, spec)
    return
  }
  const tree = renderHostTree(spec)
  openClosedDirectories(root, tree)
  removeUnneeded(root, '/', neededPaths(tree))
  const isClosed = (entry: TreeEntry): boolean => entry.kind === 'directory' && (entry.mode & 0o700) !== 0o700
  const entries = [...tree].sort(([, a], [, b]) => Number(isClosed(a)) - Number(isClosed(b)))
  for (const [at, entry] of entries) {
    const file = path.join(root, at)
    if (matches(file, entry)) continue
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && found.isDirectory() !== (entry.kind === 'directory'))
      rmSync(file, { recursive: true })
    replaceEntry(root, at, entry)
  }
}
