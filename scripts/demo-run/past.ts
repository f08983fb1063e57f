import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { WritePastSettings } from '../write-past'
import { DemoError, type DemoOptions } from './demo-options'

/** A year of short-lived numbers: with more room for them they are cleared away half as often. */
const NODE_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32']
const BUNDLE = path.join('dist', 'write-past.mjs')

/** Between the start and the first reports of the agents; what is left of it is no gap that charts show. */
const LEAD_MS = 20_000

/** Whether the demo's database is yet to be made, and may have a past. */
export const needsPast = ({ hasHistory }: DemoOptions, dataDirectory: string): boolean =>
  hasHistory && !existsSync(dataDirectory)

const run = (root: string, settings: WritePastSettings, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...NODE_OPTIONS, BUNDLE, JSON.stringify(settings)], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
      signal,
    })
    const said: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new DemoError(`${Buffer.concat(said).toString()}\nThe history could not be written.`))
    })
  })

/** Gives the demo a year of history, in a process of its own: the trees are written meanwhile. */
export const writePast = (
  settings: Omit<WritePastSettings, 'startAt' | 'endAt'>,
  { root, startAt, signal }: { root: string; startAt: Date; signal: AbortSignal },
): Promise<void> => {
  const endAt = new Date(startAt.getTime() + LEAD_MS)
  return run(root, { ...settings, startAt: startAt.toISOString(), endAt: endAt.toISOString() }, signal)
}
