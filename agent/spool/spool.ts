import { readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { comparePositions, type Position } from '@/lib/schemas/agent/report'
import { type AgentLog, reasonOf } from '../commands/run-log'
import { syncDirectory, TEMPORARY_SUFFIX, writeDurable } from './durable-file'
import { makeDirectory } from './make-directory'
import { decodeReport, entryName, parseEntryName, type SpoolEntry } from './spool-entry'

/** Reports that the console refused permanently, and files that could not be read, retained for diagnosis. */
const MAX_REJECTED = 10

export type SpoolOptions = {
  /** Made when missing. */
  directory: string
  maxBytes: number
  maxReports: number
  log: AgentLog
  /** Called before reports are lost, so that a crash can count one twice but never forget one. */
  onLost: (count: number) => Promise<void>
}

export type Spool = {
  /** Stores a report durably; drops the oldest ones when it does not fit. Rejects when the disk does not take it. */
  add: (entry: SpoolEntry) => Promise<void>
  /**
   * The oldest readable report after `skip` others, which is then safe from being dropped until `release`. Unreadable ones
   * are set aside.
   */
  oldest: (skip?: number) => Promise<SpoolEntry | null>
  release: () => void
  /** One stored report; null when it is unreadable, and then it is set aside. */
  read: (position: Position) => Promise<SpoolEntry | null>
  remove: (position: Position) => Promise<void>
  /** The console has it. */
  delivered: (position: Position) => Promise<void>
  /** Moves a report that the console refused permanently to `rejected/`. */
  setAside: (position: Position) => Promise<void>
  positions: () => Position[]
  bytes: () => number
}

type Stored = { position: Position; bytes: number }

/** Opens the queue of unsent reports: one file each, in the order of their positions. Not safe for two calls at a time. */
export const openSpool = async (options: SpoolOptions): Promise<Spool> => {
  const { directory, maxBytes, maxReports, log, onLost } = options
  const rejected = path.join(directory, 'rejected')
  await makeDirectory(rejected)
  let stored = await listStored(directory, log)
  let held: Position | null = null
  /** The newest report that was lost: the next one after it knows of no time before itself. */
  let torn: Position | null = null

  const isHeld = (position: Position) => held !== null && comparePositions(held, position) === 0
  const forget = (position: Position) => {
    stored = stored.filter((other) => comparePositions(other.position, position) !== 0)
    if (isHeld(position)) held = null
  }
  const bytes = () => stored.reduce((sum, { bytes: size }) => sum + size, 0)
  const fileOf = (position: Position) => path.join(directory, entryName(position))

  const lose = (position: Position) => {
    if (torn === null || comparePositions(position, torn) > 0) torn = position
    forget(position)
  }

  const remove = async (position: Position) => {
    forget(position)
    await unlink(fileOf(position)).catch(ignoreMissing)
  }

  const freeSpace = async (size: number) => {
    const droppable = stored.filter(({ position }) => !isHeld(position))
    const dropped: Position[] = []
    let total = bytes() + size
    while (total > maxBytes || stored.length - dropped.length >= maxReports) {
      const next = droppable.shift()
      if (next === undefined) break
      dropped.push(next.position)
      total -= next.bytes
    }
    if (dropped.length === 0) return
    await onLost(dropped.length)
    log.warn(`The spool is full: dropped the oldest ${dropped.length} of ${stored.length} unsent reports.`)
    for (const position of dropped) {
      lose(position)
      await remove(position)
    }
  }

  const setAside = async (position: Position) => {
    lose(position)
    await rename(fileOf(position), path.join(rejected, entryName(position))).catch(ignoreMissing)
    const names = (await readdir(rejected)).sort()
    for (const name of names.slice(0, -MAX_REJECTED)) await unlink(path.join(rejected, name))
  }

  const read = async (position: Position): Promise<SpoolEntry | null> => {
    try {
      return await decodeReport(await readFile(fileOf(position)), position)
    } catch (error) {
      log.warn(`The unsent report ${entryName(position)} is unreadable and set aside: ${reasonOf(error)}.`)
      await onLost(1)
      lose(position)
      await setAside(position).catch((cause) => log.warn(`It could not be moved: ${reasonOf(cause)}.`))
      return null
    }
  }

  const oldest = async (skip = 0) => {
    for (let first = stored[skip]; first !== undefined; first = stored[skip]) {
      const entry = await read(first.position)
      if (entry === null) continue
      held = first.position
      const isAfterLost = torn !== null && comparePositions(first.position, torn) > 0
      return skip > 0 || isAfterLost ? { ...entry, watchedMs: 0 } : entry
    }
    return null
  }

  const add = async (entry: SpoolEntry) => {
    await freeSpace(entry.body.length)
    await writeDurable({ file: fileOf(entry.position), data: entry.body })
    stored = [...stored, { position: entry.position, bytes: entry.body.length }].sort(byPosition)
  }

  const release = () => {
    held = null
  }
  return {
    add,
    oldest,
    release,
    read,
    remove,
    setAside,
    delivered: async (position) => {
      if (torn !== null && comparePositions(position, torn) > 0) torn = null
      await remove(position)
    },
    positions: () => stored.map(({ position }) => position),
    bytes,
  }
}

const byPosition = (a: Stored, b: Stored) => comparePositions(a.position, b.position)

const listStored = async (directory: string, log: AgentLog): Promise<Stored[]> => {
  const stored: Stored[] = []
  let halfWritten = 0
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name)
    if (name.endsWith(TEMPORARY_SUFFIX)) {
      await unlink(file)
      halfWritten += 1
      continue
    }
    const position = parseEntryName(name)
    if (position !== null) stored.push({ position, bytes: (await stat(file)).size })
    else if (name !== 'rejected') log.warn(`The file ${file} is no report of this agent; it is ignored.`)
  }
  if (halfWritten > 0) {
    log.warn(`Removed ${halfWritten} half-written reports that a stop in the middle of a write had left.`)
    await syncDirectory(directory)
  }
  if (stored.length > 0) log.info(`The spool holds ${stored.length} unsent reports of an earlier start.`)
  return stored.sort(byPosition)
}

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}
