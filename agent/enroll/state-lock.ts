import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AgentSettingError } from './setting-error'

/**
 * Keeps a second agent out of a state directory. Locks are numbered and the highest one counts: a dead agent's lock is
 * never removed to be taken, but outnumbered, and only one can make the next number. A lock names its process and when
 * that started, so that one left by a kill is distinguished from a living one. Returns the unlock.
 */
export const lockState = async (stateDirectory: string): Promise<() => Promise<void>> => {
  const fileOf = (number: number) => path.join(stateDirectory, `lock.${number}`)
  const own = path.join(stateDirectory, `lock-${randomUUID()}`)
  await writeFile(own, `${process.pid} ${(await startOf(process.pid)) ?? '-'}`, { mode: 0o600 })
  try {
    for (;;) {
      const highest = Math.max(0, ...(await lockNumbers(stateDirectory)))
      if (await isHeld(fileOf(highest))) break
      if (!(await tryLink(own, fileOf(highest + 1)))) continue
      // While we looked, others may have taken and left this number and gone on.
      const numbers = await lockNumbers(stateDirectory)
      if (Math.max(...numbers) > highest + 1) {
        await removeIfPresent(fileOf(highest + 1))
        continue
      }
      for (const number of numbers) if (number <= highest) await removeIfPresent(fileOf(number))
      return () => writeFile(fileOf(highest + 1), 'released')
    }
  } finally {
    await unlink(own)
  }
  throw new AgentSettingError(
    `Another agent works with the state directory ${stateDirectory}; stop it first or name another directory.`,
  )
}

const lockNumbers = async (stateDirectory: string): Promise<number[]> =>
  (await readdir(stateDirectory)).flatMap((name) => {
    const match = /^lock\.([0-9]{1,15})$/.exec(name)
    return match === null ? [] : [Number(match[1])]
  })

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

const tryLink = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

const removeIfPresent = (file: string) =>
  unlink(file).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })

const isHeld = async (file: string): Promise<boolean> => {
  const holder = await readFile(file, 'utf8').catch(() => '')
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
