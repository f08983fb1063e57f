import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FileSystem } from '@/agent/collect/file-system'
import { createHostFiles, type HostFiles } from '@/agent/collect/host-files'
import { createProblemLog, type ProblemLog } from '@/agent/collect/problem-log'
import type { Tree } from '@/simulator/host-tree/tree'
import { temporaryRoot } from './scan-fixture'

/** Contents by path; `{ link }` makes a symbolic link, `{ folder }` an empty folder with that mode. */
export type TreeContents = Record<string, string | Buffer | { link: string } | { folder: number }>

export const writeContents = (root: string, contents: TreeContents): void => {
  for (const [at, content] of Object.entries(contents)) {
    const target = path.join(root, at)
    mkdirSync(path.dirname(target), { recursive: true })
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(target, content)
    else if ('link' in content) symlinkSync(content.link, target)
    else mkdirSync(target, { mode: content.folder, recursive: true })
  }
}

/** A rendered tree of the simulator as contents, so that a test can change it. */
export const contentsOf = (tree: Tree): TreeContents =>
  Object.fromEntries(
    [...tree].map(([at, entry]) => {
      if (entry.kind === 'link') return [at, { link: entry.target }]
      return [at, entry.kind === 'file' ? entry.content : { folder: entry.mode }]
    }),
  )

/** A small tree of a host with the module that reads it. */
export const treeWith = (
  contents: TreeContents,
  fs?: FileSystem,
): { root: string; files: HostFiles; problems: ProblemLog } => {
  const root = temporaryRoot()
  writeContents(root, contents)
  const problems = createProblemLog()
  return { root, problems, files: createHostFiles({ root, problems, ...(fs ? { fs } : {}) }) }
}

/** Source and code of every problem, in the order of the log. */
export const codesOf = (problems: ProblemLog): [source: string, code: string][] =>
  problems.list().map(({ source, code }) => [source, code])
