import * as nodeFs from 'node:fs'
import { constants, type openSync, readFileSync } from 'node:fs'
import { cleanText, isOddName, plainLine } from './clean-text'
import type { FileSystem } from './file-system'
import { errorCode, isAbsent, problemOf, TooLarge } from './host-error'
import { createHostPaths, type HostPaths } from './host-paths'
import { createProblemLog, type ProblemLog } from './problem-log'

/** Reads files of a host; everything may throw. */
type HostReader = {
  /** At most one page, as sysfs attributes are, decoded as UTF-8. */
  attribute(path: string): string
  /** The same for a place without links on this machine; a link at its end is refused. */
  attributeOnDisk(diskPath: string): string
  /** A whole file; throws `TooLarge`. */
  all(path: string, options: { limitBytes: number; encoding: 'utf8' | 'latin1' }): string
}

const ATTRIBUTE_BYTES = 4096
/** The kernel's own bound (MAXSYMLINKS). */
const MAX_LINKS = 40

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

const createHostReader = ({
  isWholeMachine,
  fs,
  paths,
}: {
  isWholeMachine: boolean
  fs: FileSystem
  paths: HostPaths
}): HostReader => {
  const buffer = Buffer.allocUnsafe(65_536)

  const openOnDisk = (diskPath: string): ReturnType<typeof openSync> =>
    fs.openSync(diskPath, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)

  /** Below `--root` a link at the end has to be re-rooted before the kernel may follow it. */
  const open = (path: string): number => {
    if (isWholeMachine) return fs.openSync(path, O_RDONLY | O_NONBLOCK)
    let at = path
    for (let links = 0; ; links++) {
      try {
        return openOnDisk(paths.onDisk(paths.withoutParentLinks(at)))
      } catch (err) {
        if (errorCode(err) !== 'ELOOP' || links > MAX_LINKS) throw err
        at = paths.withoutLinks(at)
      }
    }
  }

  const closing = <T>(fd: number, read: () => T): T => {
    try {
      return read()
    } finally {
      fs.closeSync(fd)
    }
  }

  const page = (fd: number): string =>
    closing(fd, () => buffer.toString('utf8', 0, fs.readSync(fd, buffer, 0, ATTRIBUTE_BYTES, null)))

  /** Files of /proc have no size and pipes no end, so these are counted while they are read. */
  const inPieces = (fd: number, limitBytes: number): Buffer => {
    const pieces: Buffer[] = []
    let size = 0
    for (;;) {
      const count = fs.readSync(fd, buffer, 0, buffer.length, null)
      if (count === 0) return Buffer.concat(pieces, size)
      size += count
      if (size > limitBytes) throw new TooLarge(`${limitBytes} bytes`)
      pieces.push(Buffer.from(buffer.subarray(0, count)))
    }
  }

  return {
    attribute: (path) => page(open(path)),
    attributeOnDisk: (diskPath) => page(openOnDisk(diskPath)),
    all: (path, { limitBytes, encoding }) => {
      const fd = open(path)
      return closing(fd, () => {
        const status = fs.fstatSync(fd)
        if (!status.isFile() || status.size === 0) return inPieces(fd, limitBytes).toString(encoding)
        if (status.size > limitBytes) throw new TooLarge(`${limitBytes} bytes`)
        return readFileSync(fd, encoding)
      })
    },
  }
}

type ReadOptions = {
  /** The path was listed or has to exist: its absence is a problem, not a fact. */
  isExpected?: boolean
}

/** Identity of a file's content without reading it. */
export type FileStamp = string

/** A folder whose entries are folders of attributes, as `mdev_supported_types` is. */
export type AttributeFolders = {
  /** Names of the inner folders, sorted; odd ones are left out with a problem. */
  names: string[]
  /** One attribute in one of them, trimmed. */
  attribute(name: string, attribute: string, options?: ReadOptions): string | null
}

/**
 * The agent's only way to a host's files. Paths are absolute as the host sees them; all lie below `root`. Nothing throws:
 * a failure becomes a problem and the answer is null, absence alone is a plain null.
 */
export type HostFiles = {
  root: string
  /** Text with line ends of any system as line feeds, other control characters replaced unless `keepsControls` is set. */
  text(path: string, options?: ReadOptions & { limitBytes?: number; keepsControls?: boolean }): string | null
  /** One sysfs attribute, trimmed. */
  attribute(path: string, options?: ReadOptions): string | null
  /** Bytes as Latin-1, for the few files that are made of NUL-separated strings. */
  raw(path: string, options?: ReadOptions): string | null
  /** Names in a directory, sorted; odd ones are left out with a problem. */
  names(path: string, options?: ReadOptions): string[] | null
  /** For folders with thousands of attributes: the way there is walked once. */
  attributeFolders(path: string): AttributeFolders | null
  /** A link's whole target, as stored: `/dev/vfio/14` of an open file. */
  linkTarget(path: string): string | null
  /** Last part of a link's target: the driver of `…/driver`, the group of `…/iommu_group`. */
  linkName(path: string, options?: ReadOptions): string | null
  /** The path with all links followed; null with a problem when it leads nowhere. */
  realPath(path: string): string | null
  exists(path: string): boolean
  /** The files below a folder, as a process sees them whose root it is; its links stay inside. Null when it is not there. */
  below(folder: string): HostFiles | null
  stamp(path: string): FileStamp | null
}

const TEXT_LIMIT_BYTES = 1024 * 1024
const MAX_NAMES = 65_536

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
  const reader = createHostReader({ isWholeMachine, fs, paths })

  /** Null for what is absent; other failures, and absence of what was expected, become problems. */
  const attempt = <T>(path: string, options: ReadOptions | undefined, work: () => T): T | null => {
    try {
      return work()
    } catch (err) {
      if (!isAbsent(err) || options?.isExpected === true) problems.add(problemOf(path, err))
      return null
    }
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

  const attribute: HostFiles['attribute'] = (path, options) =>
    attempt(path, options, () => cleanText(reader.attribute(path)).trim())

  const listFolders = (path: string): { diskPath: string; names: string[]; links: Set<string> } => {
    const diskPath = onDisk(path)
    if (isWholeMachine) return { diskPath, names: fs.readdirSync(diskPath), links: new Set() }
    const entries = fs.readdirSync(diskPath, { withFileTypes: true })
    const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
    return { diskPath, names: entries.map(({ name }) => name), links: new Set(links) }
  }

  return {
    root,
    text: (path, options) =>
      attempt(path, options, () => {
        const limitBytes = options?.limitBytes ?? TEXT_LIMIT_BYTES
        // Line ends as Python's text mode reads them, before a carriage return counts as a control character.
        const text = reader.all(path, { limitBytes, encoding: 'utf8' })
        const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
        return options?.keepsControls === true ? lines : cleanText(lines)
      }),
    attribute,
    raw: (path, options) =>
      attempt(path, options, () => reader.all(path, { limitBytes: TEXT_LIMIT_BYTES, encoding: 'latin1' })),
    names: (path, options) => {
      const names = attempt(path, options, () => fs.readdirSync(onDisk(path)))
      return names === null ? null : usableNames(path, names)
    },
    attributeFolders: (path) => {
      const listed = attempt(path, undefined, () => listFolders(path))
      if (listed === null) return null
      const { diskPath, names, links } = listed
      return {
        names: usableNames(path, names),
        attribute: (name, key, options) => {
          const full = `${path}/${name}/${key}`
          if (links.has(name)) return attribute(full, options)
          return attempt(full, options, () => {
            try {
              return cleanText(reader.attributeOnDisk(`${diskPath}/${name}/${key}`)).trim()
            } catch (err) {
              // The attribute itself is a link: the long way.
              if (errorCode(err) !== 'ELOOP') throw err
              return cleanText(reader.attribute(full)).trim()
            }
          })
        },
      }
    },
    linkTarget: (path) => attempt(path, undefined, () => readLink(path)),
    linkName: (path, options) => {
      const target = attempt(path, options, () => readLink(path))
      const name = target?.slice(target.lastIndexOf('/') + 1) ?? ''
      return name === '' || isOddName(name) ? null : name
    },
    realPath: (path) => attempt(path, { isExpected: true }, () => paths.withoutLinks(path)),
    exists: (path) => {
      try {
        return fs.statSync(onDisk(path), { throwIfNoEntry: false }) !== undefined
      } catch {
        return false
      }
    },
    below: (folder) =>
      attempt(folder, undefined, () =>
        createHostFiles({ root: onDisk(folder), problems: createProblemLog(), fs }),
      ),
    stamp: (path) =>
      attempt(path, undefined, () => {
        const { ino, size, mtimeMs, ctimeMs } = fs.statSync(onDisk(path))
        return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
      }),
  }
}
