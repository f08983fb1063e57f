import { posix } from 'node:path'
import { configFilesIn, defaultFiles, defaultFolderFiles } from './config-folder'
import type { HostFiles } from './host-files'
import { enabledUnit, type NovaUnit, possibleUnits } from './nova-unit'
import { containerVersionOf, novaVersionOf } from './nova-version'

const MAX_PROCESSES = 64

type NovaProcess = { pid: string; program: string; words: string[] }

/** A process with its arguments when it is nova-compute, and not one of its privsep helpers. */
const readProcess = (pid: string, files: HostFiles): NovaProcess | null => {
  const line = files.raw(`/proc/${pid}/cmdline`)?.split('\0') ?? []
  const index = line.slice(0, 3).findIndex((word) => /(^|\/)nova-compute$/.test(word))
  return index < 0 ? null : { pid, program: line[index] ?? '', words: line.slice(index + 1) }
}

/** Without a slash at its end, `//`, `.` and `..`, so that a folder has one name. */
export const plainPath = (path: string): string => posix.normalize(path).replace(/(.)\/+$/, '$1')

type Source = { kind: 'config-file' | 'config-dir'; path: string }

const sourcesOf = (words: string[]): Source[] =>
  words.flatMap((word, index): Source[] => {
    const match = /^--(config-file|config-dir)(?:=(.*))?$/s.exec(word)
    const path = match?.[2] ?? words[index + 1] ?? ''
    if (match === null || !path.startsWith('/')) return []
    // `/etc/nova/nova.conf.d/` is the folder without the slash too.
    return [{ kind: match[1] === 'config-dir' ? 'config-dir' : 'config-file', path: plainPath(path) }]
  })

/**
 * Order of oslo_config/cfg.py _parse_config_files: the default files unless --config-file is given, the default folders
 * unless --config-dir is given, then what the command line names, in its order.
 */
const filesOf = (sources: Source[], files: HostFiles): string[] => [
  ...(sources.some(({ kind }) => kind === 'config-file') ? [] : defaultFiles('/etc/nova', files)),
  ...(sources.some(({ kind }) => kind === 'config-dir') ? [] : defaultFolderFiles('/etc/nova', files)),
  ...sources.flatMap(({ kind, path }) => (kind === 'config-file' ? [path] : configFilesIn(path, files))),
]

/** nova-compute with its unit of systemd; null when none runs. */
const findInUnits = (files: HostFiles): { process: NovaProcess; unit: NovaUnit } | null => {
  for (const { folder, ...unit } of possibleUnits(files)) {
    const pids =
      files
        .raw(`${folder}/cgroup.procs`)
        ?.match(/^\d{1,10}$/gm)
        ?.slice(0, MAX_PROCESSES) ?? []
    for (const pid of pids) {
      const process = readProcess(pid, files)
      if (process !== null) return { process, unit }
    }
  }
  return null
}

/** The unit of the running nova-compute, or the only one that is enabled; null: neither was found. */
export const findNovaUnit = (files: HostFiles): NovaUnit | null =>
  findInUnits(files)?.unit ?? enabledUnit(files)

/** The files that the running nova-compute of a package was started with; null when none runs. */
export const runningNovaFiles = (files: HostFiles): string[] | null => {
  const found = findInUnits(files)
  return found === null ? null : filesOf(sourcesOf(found.process.words), files)
}

/** The process that a scan found last, so that the next one looks there first. */
export type NovaProcessMemory = { pid: string | null }

/** In a container it is one of the host's processes, and which one its cgroup is called differs by deployment. */
const findInContainers = (files: HostFiles, memory: NovaProcessMemory): NovaProcess | null => {
  const last = memory.pid === null ? null : readProcess(memory.pid, files)
  if (last !== null) return last
  for (const pid of (files.names('/proc') ?? []).filter((name) => /^[1-9]\d{0,9}$/.test(name))) {
    const found = readProcess(pid, files)
    if (found !== null) return found
  }
  return null
}

/** proc(5): ticks of /proc/<pid>/stat are 1/100 s on every Linux (USER_HZ). */
const MS_PER_TICK = 10

/** Field 22 of /proc/<pid>/stat since the boot that /proc/stat names; null when either can't be read. */
const startOf = (pid: string, files: HostFiles): string | null => {
  const stat = files.raw(`/proc/${pid}/stat`)
  const ticks = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? Number.NaN)
  const bootSeconds = Number(/^btime (\d{1,12})$/m.exec(files.raw('/proc/stat') ?? '')?.[1] ?? Number.NaN)
  const startedAt = new Date(bootSeconds * 1000 + ticks * MS_PER_TICK)
  return Number.isNaN(startedAt.getTime()) ? null : startedAt.toISOString()
}

type NovaCompute = { startedAt: string; version: string | null }

/** When a process was started, and the version of its Nova; null when its start can't be read. */
const readCompute = (
  { pid }: NovaProcess,
  { files, version }: { files: HostFiles; version: () => string | null },
): NovaCompute | null => {
  const startedAt = startOf(pid, files)
  return startedAt === null ? null : { startedAt, version: version() }
}

/**
 * When the running nova-compute was started, and its version; null when none is found. `mayBeContained`: without a unit of systemd
 * it is looked for among all processes, as one in a container.
 */
export const collectNovaCompute = (
  files: HostFiles,
  { mayBeContained, memory }: { mayBeContained: boolean; memory: NovaProcessMemory },
): NovaCompute | null => {
  const unit = findInUnits(files)?.process ?? null
  const contained = unit === null && mayBeContained ? findInContainers(files, memory) : null
  memory.pid = (unit ?? contained)?.pid ?? null
  if (unit !== null) return readCompute(unit, { files, version: () => novaVersionOf(unit.program, files) })
  if (contained === null) return null
  return readCompute(contained, { files, version: () => containerVersionOf(contained, files) })
}
