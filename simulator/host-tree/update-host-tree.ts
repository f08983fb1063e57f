import { rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec } from './host-spec'
import { hostTreeSections, renderHostTree, type TreeSection } from './render-host-tree'
import type { Tree, TreeEntry } from './tree'
import { replaceEntry } from './write-host-tree'

type TreeChange = {
  removed: string[]
  placed: [path: string, entry: TreeEntry][]
  /** Directories that stay although nothing may be left in them. */
  lasting: Set<string>
}

const isSame = (a: TreeEntry | undefined, b: TreeEntry): boolean => {
  if (a === undefined || a.kind !== b.kind) return false
  if (a.kind === 'link') return b.kind === 'link' && a.target === b.target
  if (a.kind === 'file') return b.kind === 'file' && a.content === b.content && a.mode === b.mode
  return b.kind === 'directory' && a.mode === b.mode
}

const isSameInput = (a: TreeSection | undefined, b: TreeSection | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.inputs.length === b.inputs.length &&
  a.inputs.every((input, index) => Object.is(input, b.inputs[index]))

const merged = (sections: TreeSection[]): Tree => {
  const tree: Tree = new Map()
  for (const section of sections) for (const [at, entry] of section.render()) tree.set(at, entry)
  return tree
}

/** Only the sections whose inputs changed, before and after. */
const changedTrees = (before: HostSpec, after: HostSpec): { before: Tree; after: Tree } => {
  if (before.extras !== after.extras) return { before: renderHostTree(before), after: renderHostTree(after) }
  const old = new Map(hostTreeSections(before).map((section) => [section.key, section]))
  const fresh = new Map(hostTreeSections(after).map((section) => [section.key, section]))
  const changed = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (key) => !isSameInput(old.get(key), fresh.get(key)),
  )
  const pick = (sections: Map<string, TreeSection>): Tree =>
    merged(changed.flatMap((key) => sections.get(key) ?? []))
  const trees = { before: pick(old), after: pick(fresh) }
  for (const { path: at } of after.extras) {
    trees.before.delete(at)
    trees.after.delete(at)
  }
  return trees
}

/** What must be taken away and put in place to come from one state of a host to another. */
const treeChange = (before: HostSpec, after: HostSpec): TreeChange => {
  const trees = changedTrees(before, after)
  return {
    removed: [...trees.before.keys()].filter((at) => !trees.after.has(at)),
    placed: [...trees.after].filter(([at, entry]) => !isSame(trees.before.get(at), entry)),
    lasting: new Set([...trees.after].flatMap(([at, entry]) => (entry.kind === 'directory' ? [at] : []))),
  }
}

const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Belongs to its own section, so no change of a GPU lists it. */
const MDEV_BUS = '/sys/bus/mdev/devices'

/** Takes away the directories that a removal emptied, up to the first that still holds something. */
const removeEmptyParents = (root: string, at: string, lasting: Set<string>): void => {
  let directory = path.dirname(at)
  while (directory !== '/' && !lasting.has(directory) && directory !== MDEV_BUS) {
    try {
      rmdirSync(path.join(root, directory))
    } catch (error) {
      if (isCode(error, 'ENOENT')) {
        directory = path.dirname(directory)
        continue
      }
      if (isCode(error, 'ENOTEMPTY', 'EEXIST')) return
      throw error
    }
    directory = path.dirname(directory)
  }
}

/**
 * Brings the tree below `root` from one state to the next. Links go first and come last, so that a reader who follows a link
 * in `/sys/bus` finds a whole device; each file appears in one step.
 */
export const updateHostTree = (root: string, before: HostSpec, after: HostSpec): void => {
  const { removed, placed, lasting } = treeChange(before, after)
  const isLink = (at: string): boolean => at.startsWith('/sys/bus/') || at.startsWith('/sys/class/')
  const ordered = [...removed.filter(isLink), ...removed.filter((at) => !isLink(at))]
  for (const at of ordered) {
    rmSync(path.join(root, at), { recursive: true, force: true })
    removeEmptyParents(root, at, lasting)
  }
  const links = placed.filter(([, entry]) => entry.kind === 'link')
  const others = placed.filter(([, entry]) => entry.kind !== 'link')
  for (const [at, entry] of [...others, ...links]) replaceEntry(root, at, entry)
}
