import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { measureRead, type Read } from './measure-reads'

export type Measured = { bytes: number; read: Read }

/** Bytes of all files below a folder. */
export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  )

const LIMIT_MS = 30_000

/** Starts a server and waits until it answers under `ready`. */
export const startAnswering = async (command: string, args: string[], ready: URL): Promise<ChildProcess> => {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-4000)
  })
  const deadline = Date.now() + LIMIT_MS
  for (;;) {
    const answer = await fetch(ready).catch(() => null)
    if (answer?.ok === true) return child
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${command} does not answer: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** The chart's columns that a scrape has: average, least and most use, and capacity, in steps as the console answers them. */
const QUERY = ['avg', 'min', 'max']
  .map((name) => `label_replace(${name}_over_time(sliceboard_used[12h]), "what", "${name}", "", "")`)
  .concat('label_replace(avg_over_time(sliceboard_capacity[12h]), "what", "capacity", "", "")')
  .join(' or ')

/** 90 days as `query_range` answers them, which both databases have. */
export const measureRange = (name: string, address: string, { end, days }: { end: number; days: number }) => {
  const range = {
    query: QUERY,
    start: String(end / 1000 - days * 86_400),
    end: String(end / 1000),
    step: '12h',
  }
  return measureRead(name, new URL(`/api/v1/query_range?${new URLSearchParams(range)}`, address))
}
