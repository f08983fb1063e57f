import { posix } from 'node:path'
import { fact } from './clean-text'
import { configFilesIn, defaultFiles, defaultFolderFiles } from './config-folder'
import type { HostFiles } from './host-files'
import { mountOf, mountsOf, onHost } from './mounts'

/** A service unit of systemd. `userId`: that of the user whose manager runs it; null: it is a unit of the system. */
type NovaUnit = { name: string; userId: number | null }

/** Hierarchies of cgroup v2, and of v1 and the hybrid of both. */
const HIERARCHIES = ['/sys/fs/cgroup', '/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified']

/** `user.slice/user-1000.slice/user@1000.service/app.slice/app-nova\x2dcompute.slice/…` of a template of a user. */
const MAX_DEPTH = 5

/** A slice, or the manager of a user. Containers of LXD and their units lie in other groups. */
const OUTER = /\.slice$|^user@(\d{1,9})\.service$/

/** Names that a unit of nova-compute can have: `nova-compute@1`, `openstack-nova-compute`, `devstack@n-cpu`. */
const POSSIBLE = /^(?=[A-Za-z0-9:_.@\\-]{1,247}\.service$).*(?:nova|n-cpu|compute)/

/** The usual names: a unit that does not run is known by its name alone. */
const USUAL =
  /^(?:[A-Za-z0-9:_.@\\-]{0,99}[-_@.])?(?:nova[-_]compute|n-cpu)(?:-container|@[A-Za-z0-9:_.\\-]{1,99})?\.service$/

const ENABLED = '/etc/systemd/system/multi-user.target.wants'

const unitsIn = function* (
  group: { folder: string; depth: number; userId: number | null },
  files: HostFiles,
): Generator<NovaUnit & { folder: string }> {
  const { folder, depth, userId } = group
  for (const name of files.names(folder) ?? []) {
    const outer = OUTER.exec(name)
    if (outer === null && depth > 0 && POSSIBLE.test(name))
      yield { name, userId, folder: `${folder}/${name}` }
    if (outer === null || depth === MAX_DEPTH) continue
    const owner = outer[1] === undefined ? userId : Number(outer[1])
    yield* unitsIn({ folder: `${folder}/${name}`, depth: depth + 1, userId: owner }, files)
  }
}

/**
 * Units that may be that of nova-compute, with the folders of their control groups. The slice is system.slice unless the unit
 * names another, such as nova.slice of OpenStack-Ansible (ansible-role-systemd_service, Slice=).
 */
const possibleUnits = function* (files: HostFiles): Generator<NovaUnit & { folder: string }> {
  for (const folder of HIERARCHIES) yield* unitsIn({ folder, depth: 0, userId: null }, files)
}

/** The only enabled unit with a usual name; null: none or several are enabled. */
const enabledUnit = (files: HostFiles): NovaUnit | null => {
  const [name, ...others] = (files.names(ENABLED) ?? []).filter((each) => USUAL.test(each))
  return name === undefined || others.length > 0 ? null : { name, userId: null }
}

/** Folder or file of the installed package's metadata: `nova-26.2.2.egg-info`, `nova-31.1.0-py3.9.egg-info`, `nova-33.0.2.dist-info`. */
const METADATA = /^nova-(\d{1,4}(?:\.\d{1,6}){1,3})(?:\D\S*)?\.(?:dist|egg)-info$/

/** Where Python finds packages of a program in `PREFIX/bin`: Debian's folder, and those of RDO and of virtual environments. */
const packageFolders = (prefix: string, files: HostFiles): string[] => [
  `${prefix}/lib/python3/dist-packages`,
  ...(files.names(`${prefix}/lib`) ?? [])
    .filter((name) => /^python3\.\d{1,2}$/.test(name))
    .map((name) => `${prefix}/lib/${name}/site-packages`),
]

/**
 * Nova's version by the package that is installed for the program of a running nova-compute. Null: none or several are installed
 * there.
 */
const novaVersionOf = (program: string, files: HostFiles): string | null => {
  const prefix = /^(\/.+)\/bin\/nova-compute$/.exec(program)?.[1]
  if (prefix === undefined) return null
  const versions = new Set(
    packageFolders(prefix, files)
      .flatMap((folder) => files.names(folder) ?? [])
      .flatMap((name) => METADATA.exec(name)?.[1] ?? []),
  )
  const [version] = versions
  return versions.size === 1 ? fact(version, 64) : null
}

/**
 * The same of a nova-compute in a container. The host sees the container's file system at the mount that the runtime created for
 * it, such as Docker's `overlay2/ID/merged`: `/proc/PID/root` leads there too, but needs the right to trace the process. Null also
 * where no mount of the host shows it.
 */
const containerVersionOf = (
  { pid, program }: { pid: string; program: string },
  files: HostFiles,
): string | null => {
  const own = mountsOf(pid, files)
  const host = mountsOf('1', files)
  const mount = own === null || !program.startsWith('/') ? null : mountOf(program, own)
  if (host === null || mount === null) return null
  const folder = onHost(mount.point, mount, host)
  const inside = folder === null ? null : files.below(folder)
  return inside === null
    ? null
    : novaVersionOf(mount.point === '/' ? program : program.slice(mount.point.length), inside)
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
