import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

const unlessClosed = <T>(read: () => T, whenClosed: T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return whenClosed
    throw error
  }
}

const entriesOf = (directory: string) =>
  unlessClosed(() => readdirSync(directory, { withFileTypes: true }), [])

/**
 * What a tree holds, as comparable lines; `.sliceboard` apart from the commands is the simulator's own. What is unreadable for
 * the current user counts with its mode alone.
 */
export const treeOnDisk = (root: string): Record<string, string> => {
  const found: Record<string, string> = {}
  const walk = (directory: string): void => {
    for (const entry of entriesOf(path.join(root, directory))) {
      const at = path.posix.join(directory, entry.name)
      const file = path.join(root, at)
      const mode = (lstatSync(file).mode & 0o777).toString(8)
      if (/^\/\.sliceboard\/(scratch|kernel\.log)/.test(at)) continue
      if (entry.isSymbolicLink()) found[at] = `-> ${readlinkSync(file)}`
      else if (entry.isDirectory()) {
        found[at] = 'directory'
        walk(at)
      } else found[at] = `${mode} ${unlessClosed(() => readFileSync(file, 'utf8'), 'closed')}`
    }
  }
  walk('/')
  return found
}
