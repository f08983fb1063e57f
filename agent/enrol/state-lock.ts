import { randomUUID } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AgentSettingError } from './setting-error'

/**
 * Keeps a second agent out of a state directory. The lock names its process and when that started, so that one left by a
 * kill is told from a living one, also when the number has been given to another process. Returns the unlock.
 */
export const lockState = async (stateDirectory: string): Promise<() => Promise<void>> => {
  const file = path.join(stateDirectory, 'lock')
  const own = `${file}.${randomUUID()}`
  const holder = `${process.pid} ${(await startOf(process.pid)) ?? '-'}`
  await writeFile(own, holder, { mode: 0o600 })
  try {
    for (let tries = 0; tries < 5; tries += 1) {
      if (await tryLink(own, file)) return () => unlink(file)
      const present = await readFile(file, 'utf8').catch(() => '')
      if (await isAlive(present)) break
      await takeAway(file, present)
    }
  } finally {
    await unlink(own)
  }
  throw new AgentSettingError(
    `Another agent works with the state directory ${stateDirectory}; stop it first or name another directory.`,
  )
}

const tryLink = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes a dead agent's lock, unless a third one has put its own there in the meantime. */
const takeAway = async (file: string, expected: string) => {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch {
    return
  }
  if ((await readFile(aside, 'utf8')) !== expected) await tryLink(aside, file)
  await unlink(aside)
}

const isAlive = async (holder: string): Promise<boolean> => {
  const [pidText = '', start = ''] = holder.split(' ')
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0) return false
  const present = await startOf(pid)
  if (present !== null) return present === start
  try {
    process.kill(pid, 0)
    return start === '-'
  } catch {
    return false
  }
}

/** When a process started: the boot's id and field 22 of proc(5)'s stat, ticks since boot; null when unknown. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()}.${text.slice(text.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return null
  }
}
