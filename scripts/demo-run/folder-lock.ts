import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DemoError } from './demo-options'

/** Whether a process of that number lives, of any user. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const lockFile = (directory: string): string => path.join(directory, 'demo.pid')

const holderOf = (directory: string): number | null => {
  const file = lockFile(directory)
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid) ? pid : null
}

/** Takes the folder for this process, emptied on request; two demos in one folder would write the same trees. */
export const takeFolder = (directory: string, { isFresh }: { isFresh: boolean }): (() => void) => {
  const holder = holderOf(directory)
  if (holder !== null) {
    throw new DemoError(
      `The folder ${directory} is in use by the process ${holder}: stop that one first, or give another with --directory.`,
    )
  }
  if (isFresh) rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeFileSync(lockFile(directory), String(process.pid))
  const release = (): void => rmSync(lockFile(directory), { force: true })
  process.once('exit', release)
  return () => {
    process.off('exit', release)
    release()
  }
}
