import 'server-only'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

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
export const isAlive = (identity: ProcessIdentity): boolean | null => {
  if (identity.scope !== ownIdentity().scope) return null
  const startedAt = startOf(identity.pid)
  return startedAt !== null && startedAt === identity.startedAt
}
