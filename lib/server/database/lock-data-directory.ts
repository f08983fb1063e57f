import 'server-only'
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { errorCode } from '@/lib/server/errors/error-code'
import { StartError } from '@/lib/server/errors/start-error'
import { makeDirectory } from '@/lib/server/settings/make-directory'

/** Distinguishes a process from all others, also from one that got the same pid after a restart. */
type ProcessIdentity = {
  pid: number
  /** Clock ticks from boot to the start of the process and the boot's id; empty where there is no /proc. */
  startedAt: string
  /** Where the pid means something: machine and pid namespace. */
  scope: string
}

const readOrEmpty = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

/** Null when no such process lives. */
const startOf = (pid: number): string | null => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null
  }
  // proc(5): the command in field 2 may hold spaces, so count from the closing parenthesis; field 22 is the start time.
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  const boot = readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
  return ticks && `${ticks}@${boot}`
}

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  startedAt: startOf(process.pid) ?? '',
  scope: `${hostname()} ${readOrEmpty(() => readlinkSync('/proc/self/ns/pid'))}`.trim(),
})

/** Null: it runs on another machine or in another container, so its state is unknown here. */
const isAlive = (identity: ProcessIdentity): boolean | null => {
  if (identity.scope !== ownIdentity().scope) return null
  const startedAt = startOf(identity.pid)
  return startedAt !== null && startedAt === identity.startedAt
}

/** The holder touches its lock this often, so that a process in another container can tell whether it lives. */
const BEAT_MS = 2000
const SILENT_MS = 15_000
/** Taking over a stale lock takes milliseconds; a guard that old was left by a crash. */
const GUARD_STALE_MS = 10_000

const lockSchema = z.object({ id: z.string(), pid: z.int(), startedAt: z.string(), scope: z.string() })
type Lock = z.infer<typeof lockSchema>

const readLock = async (path: string): Promise<Lock | 'absent' | 'unreadable'> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'absent'
    throw error
  }
  try {
    return lockSchema.parse(JSON.parse(text))
  } catch {
    return 'unreadable'
  }
}

const ageMs = async (path: string): Promise<number> => Date.now() - (await stat(path)).mtimeMs

/** Throws when the lock's holder lives, or may live. */
const assertStale = async (path: string, dataDirectory: string): Promise<void> => {
  const lock = await readLock(path)
  if (lock === 'absent' || lock === 'unreadable') return
  const alive = isAlive(lock)
  if (alive === false) return
  if (alive) {
    throw new StartError(
      `The data folder ${dataDirectory} is in use by the process ${lock.pid}: stop that one first, or give this one another SLICEBOARD_DATA_DIR.`,
    )
  }
  const age = await ageMs(path)
  if (age > SILENT_MS) return
  throw new StartError(
    `The data folder ${dataDirectory} was in use ${Math.round(age / 1000)} s ago by the process ${lock.pid} on ${lock.scope}: stop that one, or start again in ${SILENT_MS / 1000} s if it is gone.`,
  )
}

/** Among processes that all see the same stale lock, one at a time may replace it. */
const withGuard = async (guard: string, work: () => Promise<void>): Promise<void> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      await mkdir(guard)
      try {
        await work()
      } finally {
        await rm(guard, { recursive: true, force: true })
      }
      return
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    const age = await ageMs(guard).catch(() => 0)
    if (age > GUARD_STALE_MS) await rm(guard, { recursive: true, force: true })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new StartError(`The lock ${guard} is held by another starting process: remove it if there is none.`)
}

const takeLock = async (path: string, dataDirectory: string, lock: Lock): Promise<void> => {
  const own = `${path}.${lock.id}`
  await writeFile(own, JSON.stringify(lock), { mode: 0o600 })
  try {
    await link(own, path)
    return
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    await withGuard(`${path}.takeover`, async () => {
      await assertStale(path, dataDirectory)
      await rename(own, path)
    })
  } finally {
    await rm(own, { force: true })
  }
}

const unwritable = (dataDirectory: string, error: unknown): StartError =>
  new StartError(
    `The data folder ${dataDirectory} cannot be written (${errorCode(error) ?? String(error)}): make it writable, or give another SLICEBOARD_DATA_DIR.`,
  )

/** For a process that ends before it could give the lock back: at the signal to stop while it starts. */
const removeAtExit = (path: string, lock: Lock): (() => void) => {
  const remove = (): void => {
    try {
      if (lockSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).id === lock.id)
        rmSync(path, { force: true })
    } catch {
      // The next start sees that its holder is gone.
    }
  }
  process.once('exit', remove)
  return () => process.off('exit', remove)
}

/** Makes this process the only one in the folder until the returned function is called or it dies. */
export const lockDataDirectory = async (dataDirectory: string): Promise<() => Promise<void>> => {
  const path = join(dataDirectory, 'lock')
  const lock: Lock = { ...ownIdentity(), id: randomUUID() }
  try {
    await makeDirectory(dataDirectory)
    await takeLock(path, dataDirectory, lock)
  } catch (error) {
    throw error instanceof StartError ? error : unwritable(dataDirectory, error)
  }
  const keepAtExit = removeAtExit(path, lock)
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, BEAT_MS)
  beat.unref()
  return async () => {
    clearInterval(beat)
    keepAtExit()
    const current = await readLock(path)
    if (typeof current === 'object' && current.id === lock.id) await rm(path, { force: true })
  }
}
