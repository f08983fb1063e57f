import type { HostFiles } from './host-files'

/** A line of `/proc/<pid>/mountinfo` (proc_pid_mountinfo(5)). */
export type Mount = {
  /** `major:minor` of the file system. */
  device: string
  /** The part of the file system that is mounted, as a path inside it. */
  root: string
  /** Where the process sees it. */
  point: string
  type: string
  /** Of overlay: the folder that takes writes, as it was named when it was mounted. */
  upper: string | null
}

const LIMIT_BYTES = 8 * 1024 * 1024

/** Spaces, tabs, line breaks and backslashes stand there in octal. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

const readLine = (line: string): Mount[] => {
  const [before = '', after = ''] = line.split(' - ')
  const [, , device, root, point] = before.split(' ')
  const [type, , options = ''] = after.split(' ')
  if (device === undefined || root === undefined || point === undefined || type === undefined) return []
  const upper = /(?:^|,)upperdir=([^,]*)/.exec(options)?.[1]
  return [
    {
      device,
      root: unescaped(root),
      point: unescaped(point),
      type,
      upper: upper === undefined ? null : unescaped(upper),
    },
  ]
}

/**
 * What a process has mounted, in the order of mounting. Unlike `/proc/<pid>/root` it needs no right to trace the process.
 * Null when there is no such process.
 */
export const mountsOf = (pid: string, files: HostFiles): Mount[] | null =>
  files.text(`/proc/${pid}/mountinfo`, { limitBytes: LIMIT_BYTES })?.split('\n').flatMap(readLine) ?? null

const isBelow = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`)

const below = (folder: string, path: string, part: string): string => {
  const rest = part === '/' ? path : path.slice(part.length)
  return `${folder === '/' ? '' : folder}${rest}` || '/'
}

/** The mount that a path lies on: the deepest, and of several at one place the last. */
export const mountOf = (path: string, mounts: readonly Mount[]): Mount | null =>
  mounts
    .filter(({ point }) => isBelow(path, point))
    .reduce<Mount | null>(
      (deepest, one) => (one.point.length >= (deepest?.point.length ?? 0) ? one : deepest),
      null,
    )

/** Where the host sees a path of a mount that may be of another mount namespace; null when it sees it nowhere. */
export const onHost = (path: string, mount: Mount, hostMounts: readonly Mount[]): string | null => {
  const inside = below(mount.root, path, mount.point)
  const seen = hostMounts
    .filter(({ device, root }) => device === mount.device && isBelow(inside, root))
    .map((one) => ({ one, path: below(one.point, inside, one.root) }))
    // What another mount covers is not seen there.
    .find((candidate) => mountOf(candidate.path, hostMounts) === candidate.one)
  if (seen !== undefined) return seen.path
  return mount.type === 'overlay' && mount.upper?.startsWith('/') === true
    ? below(mount.upper, inside, '/')
    : null
}
