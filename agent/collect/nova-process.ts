import { configFilesIn, defaultFiles, defaultFolderFiles } from './config-folder'
import type { HostFiles } from './host-files'

/** Control groups of the units that run nova-compute: Debian and Ubuntu, RDO, DevStack; cgroup v2 and v1. */
const UNITS = [
  'nova-compute.service',
  'openstack-nova-compute.service',
  'system-devstack.slice/devstack@n-cpu.service',
].flatMap((unit) => [`/sys/fs/cgroup/system.slice/${unit}`, `/sys/fs/cgroup/systemd/system.slice/${unit}`])

const MAX_PROCESSES = 64

/** The command line of a process when it is nova-compute, and not one of its privsep helpers. */
const novaArguments = (pid: string, files: HostFiles): string[] | null => {
  const words = files.raw(`/proc/${pid}/cmdline`)?.split('\0') ?? []
  const program = words.slice(0, 3).findIndex((word) => /(^|\/)nova-compute$/.test(word))
  return program < 0 ? null : words.slice(program + 1)
}

type Source = { kind: 'config-file' | 'config-dir'; path: string }

const sourcesOf = (words: string[]): Source[] =>
  words.flatMap((word, index): Source[] => {
    const match = /^--(config-file|config-dir)(?:=(.*))?$/s.exec(word)
    const path = match?.[2] ?? words[index + 1] ?? ''
    if (match === null || !path.startsWith('/')) return []
    return [{ kind: match[1] === 'config-dir' ? 'config-dir' : 'config-file', path }]
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

/** The files that the running nova-compute of a package was started with; null when none runs. */
export const runningNovaFiles = (files: HostFiles): string[] | null => {
  for (const unit of UNITS) {
    const pids =
      files
        .raw(`${unit}/cgroup.procs`)
        ?.match(/^\d{1,10}$/gm)
        ?.slice(0, MAX_PROCESSES) ?? []
    for (const pid of pids) {
      const words = novaArguments(pid, files)
      if (words !== null) return filesOf(sourcesOf(words), files)
    }
  }
  return null
}
