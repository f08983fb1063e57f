import { readFileSync } from 'node:fs'
import type { NovaProcessSpec } from '@/simulator/host-tree/host-spec'

/** proc(5): ticks of /proc/<pid>/stat are 1/100 s on every Linux (USER_HZ). */
const MS_PER_TICK = 10

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A process that ends, or has not been started yet.
    return null
  }
}

/** Field 22 of /proc/<pid>/stat: ticks since the boot. */
const startTicks = (pid: string): string | null => {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat === null ? null : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null)
}

/**
 * A host's nova-compute by the pid file of lab/steps/process.sh; null when it does not run. `known` comes back while it is
 * still that process: the time of the boot may differ by a second between two readings.
 */
export const readNovaProcess = (pidFile: string, known: NovaProcessSpec | null): NovaProcessSpec | null => {
  const [, pid, ticks] = /^(\d+) (\d+)\s*$/.exec(textOf(pidFile) ?? '') ?? []
  if (pid === undefined || ticks === undefined || startTicks(pid) !== ticks) return null
  const bootSeconds = Number(/^btime (\d+)$/m.exec(textOf('/proc/stat') ?? '')?.[1] ?? Number.NaN)
  const startedAtMs = bootSeconds * 1000 + Number(ticks) * MS_PER_TICK
  const isKnown = known?.pid === Number(pid) && Math.abs(known.startedAtMs - startedAtMs) < 2000
  return isKnown ? known : { pid: Number(pid), startedAtMs, failure: null }
}
