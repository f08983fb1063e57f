import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

const isSource = (name: string): boolean => !/\.test\.tsx?$|^\.|^testing$|^prisma-client$/.test(name)

const newestIn = (file: string): number => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  // A removed file shows only in its directory's time.
  return readdirSync(file)
    .filter(isSource)
    .reduce((newest, name) => Math.max(newest, newestIn(path.join(file, name))), found.mtimeMs)
}

/** Whether an output is missing or older than the newest of its sources; tests are no sources. */
export const isStale = (root: string, output: string, sources: string[]): boolean => {
  const file = path.join(root, output)
  if (!existsSync(file)) return true
  const builtMs = statSync(file).mtimeMs
  return sources.some((source) => newestIn(path.join(root, source)) > builtMs)
}
