import { posix } from 'node:path'
import { configFilesIn, defaultFiles, defaultFolderFiles } from './config-folder'
import type { HostFiles } from './host-files'
import { novaVersionOf } from './nova-version'

/** Units that run nova-compute: Debian and Ubuntu, RDO, DevStack. */
const UNITS = ['nova-compute.service', 'openstack-nova-compute.service', 'devstack@n-cpu.service']

/** Hierarchies of cgroup v2, and of v1 and the hybrid of both. */
const HIERARCHIES = ['/sys/fs/cgroup', '/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified']

const slicesIn = (folder: string, files: HostFiles): string[] =>
  (files.names(folder) ?? []).filter((name) => name.endsWith('.slice')).map((name) => `${folder}/${name}`)

/**
 * Control groups in which a unit of nova-compute can be. The slice is system.slice unless the unit names another, such as
 * nova.slice of OpenStack-Ansible (ansible-role-systemd_service, Slice=); slices of templates and users are one level down.
 */
const unitFolders = function* (files: HostFiles): Generator<string> {
  for (const hierarchy of HIERARCHIES) {
    const slices = slicesIn(hierarchy, files)
    for (const slice of [...slices, ...slices.flatMap((outer) => slicesIn(outer, files))])
      for (const unit of UNITS) yield `${slice}/${unit}`
  }
}

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

/** nova-compute as a unit of systemd; null when none runs. */
const findInUnits = (files: HostFiles): NovaProcess | null => {
  for (const unit of unitFolders(files)) {
    const pids =
      files
        .raw(`${unit}/cgroup.procs`)
        ?.match(/^\d{1,10}$/gm)
        ?.slice(0, MAX_PROCESSES) ?? []
    for (const pid of pids) {
      const found = readProcess(pid, files)
      if (found !== null) return found
    }
  }
  return null
}

/** The files that the running nova-compute of a package was started with; null when none runs. */
export const runningNovaFiles = (files: HostFiles): string[] | null => {
  const found = findInUnits(files)
  return found === null ? null : filesOf(sourcesOf(found.words), files)
}

/** The process that a scan found last, so that the next one looks there first. */
export type NovaProcessMemory = { pid: string | null }

/** In a container it is one of the host's processes, and which one its cgroup is called differs by deployment. */
const findInContainers = (files: HostFiles, memory: NovaProcessMemory): string | null => {
  if (memory.pid !== null && readProcess(memory.pid, files) !== null) return memory.pid
  const pids = (files.names('/proc') ?? []).filter((name) => /^[1-9]\d{0,9}$/.test(name))
  return pids.find((pid) => readProcess(pid, files) !== null) ?? null
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

/**
 * When the running nova-compute was started, and its version; null when none is found. `isContainer`: it is no unit of systemd, and
 * its packages are not among the host's files.
 */
export const collectNovaCompute = (
  files: HostFiles,
  { isContainer, memory }: { isContainer: boolean; memory: NovaProcessMemory },
): { startedAt: string; version: string | null } | null => {
  const unit = findInUnits(files)
  const pid = unit?.pid ?? (isContainer ? findInContainers(files, memory) : null)
  memory.pid = pid
  const startedAt = pid === null ? null : startOf(pid, files)
  if (startedAt === null) return null
  return { startedAt, version: unit === null ? null : novaVersionOf(unit.program, files) }
}
