import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec } from './host-spec'
import { renderHostTree } from './render-host-tree'
import type { Tree, TreeEntry } from './tree'

/** Files are written here and renamed into place, so that a reader sees the old or the new one, never half. */
export const SCRATCH_DIRECTORY = '/.sliceboard/scratch'

const makeParents = (root: string, at: string, known: Set<string>): void => {
  const parent = path.dirname(path.join(root, at))
  if (known.has(parent)) return
  mkdirSync(parent, { recursive: true })
  known.add(parent)
}

const writeEntry = (target: string, entry: TreeEntry): void => {
  if (entry.kind === 'link') symlinkSync(entry.target, target)
  else if (entry.kind === 'directory') {
    mkdirSync(target, { recursive: true })
    chmodSync(target, entry.mode)
  } else {
    writeFileSync(target, entry.content, { mode: entry.mode })
    // A umask takes group and other write away, nothing else that a tree uses.
    if ((entry.mode & 0o022) !== 0) chmodSync(target, entry.mode)
  }
}

/** Directories that lose their mode last, so that what lies in them can be written before. */
const inWritingOrder = (tree: Tree): [string, TreeEntry][] => {
  const entries = [...tree]
  const isClosed = ([, entry]: [string, TreeEntry]): boolean =>
    entry.kind === 'directory' && (entry.mode & 0o700) !== 0o700
  return [...entries.filter((entry) => !isClosed(entry)), ...entries.filter(isClosed)]
}

/** Writes a tree below `root`, which must be empty or absent. */
const writeTree = (root: string, tree: Tree): void => {
  const known = new Set<string>()
  mkdirSync(path.join(root, SCRATCH_DIRECTORY), { recursive: true })
  for (const [at, entry] of inWritingOrder(tree)) {
    makeParents(root, at, known)
    writeEntry(path.join(root, at), entry)
  }
}

/** Lays a host's directory tree below `root`, as kernel, libvirt, Nova and NVIDIA's driver would. */
export const writeHostTree = (root: string, spec: HostSpec): void => writeTree(root, renderHostTree(spec))

let scratchCount = 0

/** Puts one entry in the place of another in one step. */
export const replaceEntry = (root: string, at: string, entry: TreeEntry): void => {
  const target = path.join(root, at)
  mkdirSync(path.dirname(target), { recursive: true })
  if (entry.kind === 'directory') {
    writeEntry(target, entry)
    return
  }
  scratchCount += 1
  const scratch = path.join(root, SCRATCH_DIRECTORY, `entry-${scratchCount}`)
  mkdirSync(path.dirname(scratch), { recursive: true })
  writeEntry(scratch, entry)
  renameSync(scratch, target)
}
