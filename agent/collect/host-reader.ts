import { constants, type openSync, readFileSync } from 'node:fs'
import type { FileSystem } from './file-system'
import { errorCode, TooLarge } from './host-error'
import type { HostPaths } from './host-paths'

/** Reads files of a host; everything may throw. */
export type HostReader = {
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

export const createHostReader = ({
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
