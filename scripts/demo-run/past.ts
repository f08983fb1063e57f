import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { WritePastSettings } from '../write-past'
import { DEFAULT_SEED, DemoError, type DemoOptions } from './demo-options'
import { findTemplate, type PastTemplate, templateFolder } from './past-template'
import { endWith, spawnNode } from './spawn-node'

/** A year of short-lived numbers: with more space for them they are cleared away half as often. */
const NODE_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32']
const BUNDLE = path.join('dist', 'write-past.mjs')

/** Between the start and the first reports of the agents; what is left of it is no gap that charts show. */
const LEAD_MS = 20_000

/** How the demo's database gets its past. */
export type PastChoice = {
  /** When the hosts were in the state in which the story begins. */
  populatedAt: Date
  template: PastTemplate | null
  keepIn: string | null
}

type Folders = Pick<WritePastSettings, 'dataDirectory' | 'simulatorDirectory' | 'limitsFile'>

/** Of this program and fleet: another version writes another year. */
const yearFolder = (root: string, { seed, hostCount }: Pick<DemoOptions, 'seed' | 'hostCount'>): string =>
  templateFolder(root, [readFileSync(path.join(root, BUNDLE)), `${seed} ${hostCount ?? 'all'}`])

/** Null: the database is there already, or is to have no past. */
export const choosePast = (
  { hasHistory, seed, hostCount }: DemoOptions,
  { dataDirectory, simulatorDirectory }: Folders,
  { root, startAt }: { root: string; startAt: Date },
): PastChoice | null => {
  if (!hasHistory || existsSync(dataDirectory)) return null
  // Hosts that have lived on hold something else than any template ends in.
  if (existsSync(simulatorDirectory)) return { populatedAt: startAt, template: null, keepIn: null }
  const keepIn = yearFolder(root, { seed, hostCount })
  const template = findTemplate(keepIn, startAt)
  return { populatedAt: template === null ? startAt : new Date(template.startAt), template, keepIn }
}

const run = (root: string, settings: WritePastSettings, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawnNode([...NODE_OPTIONS, BUNDLE, JSON.stringify(settings)], {
      cwd: root,
      stdio: ['inherit', 'pipe'],
      hasOwnGroup: false,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    endWith(child, signal)
    const output: Buffer[] = []
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new DemoError(`${Buffer.concat(output).toString()}\nThe history could not be written.`))
    })
  })

/** The year of the fleet that a demo has by default; nothing is done where it exists. */
export const keepYear = async (root: string): Promise<void> => {
  const startAt = new Date()
  const keepIn = yearFolder(root, { seed: DEFAULT_SEED, hostCount: null })
  if (findTemplate(keepIn, startAt) !== null) return
  const folder = mkdtempSync(path.join(root, '.cache', 'year-'))
  try {
    const folders = {
      dataDirectory: path.join(folder, 'data'),
      simulatorDirectory: path.join(folder, 'none'),
      limitsFile: path.join(folder, 'limits.json'),
    }
    const choice = { populatedAt: startAt, template: null, keepIn }
    const { signal } = new AbortController()
    await writePast({ ...folders, seed: DEFAULT_SEED, hostCount: null }, { root, startAt, signal, choice })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The limits in which a past ended; none where there is no past. */
export const readLimits = ({ limitsFile }: Pick<Folders, 'limitsFile'>): Record<string, number> =>
  existsSync(limitsFile) ? (JSON.parse(readFileSync(limitsFile, 'utf8')) as Record<string, number>) : {}

/** Gives the demo a year of history, in a separate process: the trees are written at the same time. */
export const writePast = (
  settings: Folders & Pick<WritePastSettings, 'seed' | 'hostCount'>,
  {
    root,
    startAt,
    signal,
    choice: { populatedAt, template, keepIn },
  }: { root: string; startAt: Date; signal: AbortSignal; choice: PastChoice },
): Promise<void> => {
  const endAt = new Date(startAt.getTime() + LEAD_MS).toISOString()
  return run(root, { ...settings, startAt: populatedAt.toISOString(), endAt, template, keepIn }, signal)
}
