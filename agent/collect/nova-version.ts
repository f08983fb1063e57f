import { fact } from './clean-text'
import type { HostFiles } from './host-files'
import { mountOf, mountsOf, onHost } from './mounts'

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
export const novaVersionOf = (program: string, files: HostFiles): string | null => {
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
export const containerVersionOf = (
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
