import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const SOURCES = ['app', 'components', 'lib', 'public', 'next.config.mjs', 'package-lock.json', 'server.ts']

const filesOf = (path) =>
  !existsSync(path)
    ? []
    : readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))

/**
 * The id of a build, by the text of its sources. Consoles that were built from the same sources have the same id, so a page
 * of one accepts the answers of another.
 */
export const buildId = (root) => {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((name) => (/[.]/.test(name) ? [join(root, name)] : filesOf(join(root, name))))
  for (const file of files.toSorted())
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex').slice(0, 20)
}
