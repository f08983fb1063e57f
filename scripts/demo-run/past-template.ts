import { createHash } from 'node:crypto'
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/**
 * A database as a year of history left it, kept next to the builds so that the next demo of the same fleet need not write that year
 * again: what came since is written after it.
 */
export type PastTemplate = {
  dataDirectory: string
  /** ISO 8601. Of the world whose present it ends in, and its end. */
  startAt: string
  endAt: string
  /** On class VGPU, by the project's id, as they stand at its end. */
  limits: Record<string, number>
}

/** What comes after a template is ordinary days; a fleet has more stories than that. */
const LONGEST_MS = 7 * 86_400_000

const ABOUT = 'past.json'

/** Of one program, fleet and seed: `parts` are what it follows from. */
export const templateFolder = (root: string, parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return path.join(root, '.cache', 'demo-past', hash.digest('hex').slice(0, 16))
}

/** The template in a folder, if one is there that is not too old at `now`. */
export const findTemplate = (folder: string, now: Date): PastTemplate | null => {
  const about = path.join(folder, ABOUT)
  if (!existsSync(about)) return null
  const { startAt, endAt, limits } = JSON.parse(readFileSync(about, 'utf8')) as Omit<
    PastTemplate,
    'dataDirectory'
  >
  const ageMs = now.getTime() - Date.parse(endAt)
  // A clock that was set back: nothing can continue from a past that has not ended.
  if (!(ageMs >= -60_000 && ageMs < LONGEST_MS)) return null
  return { dataDirectory: path.join(folder, 'data'), startAt, endAt, limits }
}

export const copyDatabase = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })

/** Keeps a copy of a closed database in place of all others; a concurrent reader finds a whole one or none. */
export const keepTemplate = (folder: string, { dataDirectory, ...about }: PastTemplate): void => {
  const parent = path.dirname(folder)
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  copyDatabase(dataDirectory, path.join(unfinished, 'data'))
  writeFileSync(path.join(unfinished, ABOUT), JSON.stringify(about))
  for (const name of readdirSync(parent))
    if (name !== path.basename(unfinished)) rmSync(path.join(parent, name), { recursive: true, force: true })
  renameSync(unfinished, folder)
}
