import type { FileSystem } from './file-system'
import { DanglingLink, errorCode, RefusedPath } from './host-error'

/** The kernel's own bound (MAXSYMLINKS). */
const MAX_LINKS = 40

class LinkLoop extends Error {
  readonly code = 'ELOOP'
}

/** Turns a path of the host into a path of this machine with every link but possibly the last one followed. */
export type HostPaths = {
  /** The path without links, still as the host sees it (no `--root` prefix). Throws when something on the way is absent. */
  withoutLinks(path: string): string
  /** The same, but a link at the very end stays. */
  withoutParentLinks(path: string): string
  /** Where it lies on this machine; takes a path without links. */
  onDisk(path: string): string
}

const parts = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/**
 * Links are followed as if `root` were `/`: an absolute target starts at the root again, and `..` above the root is
 * refused, so that a tree copied from a host can never make the agent read this machine's files.
 */
export const createHostPaths = (root: string, fs: FileSystem): HostPaths => {
  const prefix = root === '/' ? '' : root.replace(/\/+$/, '')
  const known = new Map<string, string>()

  const follow = (base: string, rest: string[], links: number): string => {
    let at = base
    for (const part of rest) {
      if (part === '..') {
        if (at === '') throw new RefusedPath()
        at = parentOf(at)
        continue
      }
      at = step(at, part, links)
    }
    return at
  }

  const step = (at: string, part: string, links: number): string => {
    const path = `${at}/${part}`
    const held = known.get(path)
    if (held !== undefined) return held
    // Throws ENOENT when absent.
    const target = fs.lstatSync(prefix + path).isSymbolicLink() ? fs.readlinkSync(prefix + path) : null
    const real = target === null ? path : followLink(at, part, target, links + 1)
    known.set(path, real)
    return real
  }

  const followLink = (at: string, name: string, target: string, links: number): string => {
    if (links > MAX_LINKS) throw new LinkLoop()
    try {
      return follow(target.startsWith('/') ? '' : at, parts(target), links)
    } catch (err) {
      throw errorCode(err) === 'ENOENT' ? new DanglingLink({ link: `${at}/${name}`, target }) : err
    }
  }

  const whole = new Map<string, string>()
  const withoutLinks = (path: string): string => {
    const held = whole.get(path)
    if (held !== undefined) return held
    const real = follow('', parts(path), 0)
    whole.set(path, real)
    return real
  }

  return {
    withoutLinks,
    withoutParentLinks: (path) => `${withoutLinks(parentOf(path))}/${path.slice(path.lastIndexOf('/') + 1)}`,
    onDisk: (path) => (path === '' ? prefix || '/' : prefix + path),
  }
}
