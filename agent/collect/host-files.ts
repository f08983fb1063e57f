import * as nodeFs from 'node:fs'
import { cleanText, isOddName, plainLine } from './clean-text'
import { errorCode, isAbsent, problemOf, TooLarge } from './host-error'
import { createHostPaths, type LinkSystem } from './host-paths'
import type { ProblemLog } from './problem-log'

/** What the agent needs of node:fs, so that a test can make a file vanish between listing and reading. */
export type FileSystem = LinkSystem &
  Pick<typeof nodeFs, 'openSync' | 'readSync' | 'closeSync' | 'readdirSync' | 'statSync'>

type ReadOptions = {
  /** The path was listed or has to exist: its absence is a problem, not a fact. */
  isExpected?: boolean
}

/** Identity of a file's content without reading it. */
export type FileStamp = string

/**
 * The agent's only way to a host's files. Paths are absolute as the host sees them; all lie below `root`. Nothing throws:
 * a failure becomes a problem and the answer is null, absence alone is a plain null.
 */
export type HostFiles = {
  root: string
  /** Text with control characters replaced. */
  text(path: string, options?: ReadOptions & { limitBytes?: number }): string | null
  /** One sysfs attribute, trimmed. */
  attribute(path: string, options?: ReadOptions): string | null
  /** Bytes as Latin-1, for the few files that are made of NUL-separated strings. */
  raw(path: string, options?: ReadOptions): string | null
  /** Names in a directory, sorted; odd ones are left out with a problem. */
  names(path: string, options?: ReadOptions): string[] | null
  /** Last part of a link's target: the driver of `…/driver`, the group of `…/iommu_group`. */
  linkName(path: string, options?: ReadOptions): string | null
  /** The path with all links followed; null with a problem when it leads nowhere. */
  place(path: string): string | null
  exists(path: string): boolean
  stamp(path: string): FileStamp | null
}

const TEXT_LIMIT_BYTES = 1024 * 1024
/** sysfs attributes are at most one page. */
const ATTRIBUTE_BYTES = 4096
const MAX_NAMES = 65_536
const MAX_LINKS = 40

export const createHostFiles = ({
  root,
  problems,
  fs = nodeFs,
}: {
  root: string
  problems: ProblemLog
  fs?: FileSystem
}): HostFiles => {
  const paths = createHostPaths(root, fs)
  const isWholeMachine = root === '/'
  const buffer = Buffer.allocUnsafe(65_536)
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = nodeFs.constants

  /** Opens without following a last link behind the kernel's back: below `--root` that link has to be re-rooted first. */
  const open = (path: string): number => {
    if (isWholeMachine) return fs.openSync(path, O_RDONLY | O_NONBLOCK)
    let at = path
    for (let links = 0; ; links++) {
      try {
        return fs.openSync(paths.onDisk(paths.withoutParentLinks(at)), O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
      } catch (err) {
        if (errorCode(err) !== 'ELOOP' || links > MAX_LINKS) throw err
        at = paths.withoutLinks(at)
      }
    }
  }

  const readOnce = (path: string): string => {
    const fd = open(path)
    try {
      return buffer.toString('utf8', 0, fs.readSync(fd, buffer, 0, ATTRIBUTE_BYTES, null))
    } finally {
      fs.closeSync(fd)
    }
  }

  const readAll = (path: string, limitBytes: number): Buffer => {
    const fd = open(path)
    try {
      const chunks: Buffer[] = []
      let size = 0
      for (;;) {
        const count = fs.readSync(fd, buffer, 0, buffer.length, null)
        if (count === 0) return Buffer.concat(chunks, size)
        size += count
        if (size > limitBytes) throw new TooLarge(`${limitBytes} bytes`)
        chunks.push(Buffer.from(buffer.subarray(0, count)))
      }
    } finally {
      fs.closeSync(fd)
    }
  }

  /** Null for what is absent; other failures, and absence of what was expected, become problems. */
  const attempt = <T>(path: string, options: ReadOptions | undefined, work: () => T): T | null => {
    try {
      return work()
    } catch (err) {
      if (!isAbsent(err) || options?.isExpected === true) problems.add(problemOf(path, err))
      return null
    }
  }

  const list = (path: string): string[] => {
    if (isWholeMachine) return fs.readdirSync(path)
    const place = paths.withoutLinks(path)
    return fs.readdirSync(paths.onDisk(place), { withFileTypes: true }).map((entry) => {
      if (!entry.isSymbolicLink()) paths.learn(`${place}/${entry.name}`)
      return entry.name
    })
  }

  const usableNames = (path: string, names: string[]): string[] => {
    const usable = names.filter((name) => {
      if (!isOddName(name)) return true
      problems.add({
        source: path,
        code: 'odd-name',
        message: `${path} holds "${plainLine(name, 120)}", a name that is not plain text; it was left out.`,
      })
      return false
    })
    if (usable.length <= MAX_NAMES) return usable.sort()
    const message = `${path} holds ${usable.length} names; the agent reads the first ${MAX_NAMES}.`
    problems.add({ source: path, code: 'too-large', message })
    return usable.sort().slice(0, MAX_NAMES)
  }

  const onDisk = (path: string): string => (isWholeMachine ? path : paths.onDisk(paths.withoutLinks(path)))

  const readLink = (path: string): string =>
    fs.readlinkSync(isWholeMachine ? path : paths.onDisk(paths.withoutParentLinks(path)))

  return {
    root,
    text: (path, options) =>
      attempt(path, options, () =>
        cleanText(readAll(path, options?.limitBytes ?? TEXT_LIMIT_BYTES).toString('utf8')),
      ),
    attribute: (path, options) => attempt(path, options, () => cleanText(readOnce(path)).trim()),
    raw: (path, options) => attempt(path, options, () => readAll(path, TEXT_LIMIT_BYTES).toString('latin1')),
    names: (path, options) => {
      const names = attempt(path, options, () => list(path))
      return names === null ? null : usableNames(path, names)
    },
    linkName: (path, options) => {
      const target = attempt(path, options, () => readLink(path))
      const name = target?.slice(target.lastIndexOf('/') + 1) ?? ''
      return name === '' || isOddName(name) ? null : name
    },
    place: (path) => attempt(path, { isExpected: true }, () => paths.withoutLinks(path)),
    exists: (path) => {
      try {
        return fs.statSync(onDisk(path), { throwIfNoEntry: false }) !== undefined
      } catch {
        return false
      }
    },
    stamp: (path) =>
      attempt(path, undefined, () => {
        const { ino, size, mtimeMs, ctimeMs } = fs.statSync(onDisk(path))
        return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
      }),
  }
}
