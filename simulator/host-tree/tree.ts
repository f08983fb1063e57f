import path from 'node:path'

export type TreeEntry =
  | { kind: 'file'; content: string; mode: number }
  | { kind: 'link'; target: string }
  | { kind: 'directory'; mode: number }

/** Absolute paths as the host sees them. Parent directories need no entry. */
export type Tree = Map<string, TreeEntry>

export const addFile = (tree: Tree, at: string, content: string, mode = 0o644): void => {
  tree.set(at, { kind: 'file', content, mode })
}

/** A one-line sysfs attribute. */
export const addAttribute = (tree: Tree, at: string, value: string | number, mode = 0o444): void => {
  tree.set(at, { kind: 'file', content: `${value}\n`, mode })
}

/**
 * An attribute that can only be written, as `create` and `remove`; empty until something is written. Whom modes bind must be able to
 * read, in the kernel's place, what was written.
 */
export const emptyTrigger = () =>
  ({ kind: 'file', content: '', mode: process.geteuid?.() === 0 ? 0o200 : 0o600 }) as const

export const addTrigger = (tree: Tree, at: string): void => {
  tree.set(at, emptyTrigger())
}

/** Relative, as sysfs has them, so that a tree can stand anywhere. */
export const addLink = (tree: Tree, at: string, to: string): void => {
  tree.set(at, { kind: 'link', target: path.posix.relative(path.posix.dirname(at), to) })
}

export const addDirectory = (tree: Tree, at: string, mode = 0o755): void => {
  tree.set(at, { kind: 'directory', mode })
}
