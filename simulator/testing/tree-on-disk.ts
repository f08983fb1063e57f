import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** What a tree holds, as comparable lines; `.sliceboard` apart from the commands is the simulator's own. */
export const treeOnDisk = (root: string): Record<string, string> => {
  const found: Record<string, string> = {}
  const walk = (directory: string): void => {
    for (const entry of readdirSync(path.join(root, directory), { withFileTypes: true })) {
      const at = path.posix.join(directory, entry.name)
      const file = path.join(root, at)
      const mode = (lstatSync(file).mode & 0o777).toString(8)
      if (/^\/\.sliceboard\/(scratch|kernel\.log)/.test(at)) continue
      if (entry.isSymbolicLink()) found[at] = `-> ${readlinkSync(file)}`
      else if (entry.isDirectory()) {
        found[at] = 'directory'
        walk(at)
      } else found[at] = `${mode} ${readFileSync(file, 'utf8')}`
    }
  }
  walk('/')
  return found
}
