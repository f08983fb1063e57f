import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHostFiles, type FileSystem, type HostFiles } from '@/agent/collect/host-files'
import { createProblemLog, type ProblemLog } from '@/agent/collect/problem-log'
import { temporaryRoot } from './scan-fixture'

/** Contents by path; `{ link }` makes a symbolic link. */
export type TreeContents = Record<string, string | Buffer | { link: string }>

export const writeContents = (root: string, contents: TreeContents): void => {
  for (const [at, content] of Object.entries(contents)) {
    const target = path.join(root, at)
    mkdirSync(path.dirname(target), { recursive: true })
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(target, content)
    else symlinkSync(content.link, target)
  }
}

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
