import type { Problem } from '@/lib/schemas/agent/inventory'

/** A path that the agent will not follow. */
export class RefusedPath extends Error {
  readonly code = 'REFUSED'
}

/** A link whose target is not there. */
export class DanglingLink extends Error {
  readonly code = 'DANGLING'
  readonly link: string

  constructor({ link, target }: { link: string; target: string }) {
    super(`${link} is a link to ${target}, which is not there.`)
    this.link = link
  }
}

export class TooLarge extends Error {
  readonly code = 'TOO_LARGE'
}

export const errorCode = (err: unknown): string =>
  err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : 'UNKNOWN'

export const isAbsent = (err: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(err))

export const vanished = (path: string): Problem => ({
  source: path,
  code: 'vanished',
  message: `${path} should be there but is not, or no longer; the next scan looks again.`,
})

/** The sentence for a failed read of `path`. Without the words of the error: those would carry the `--root` prefix. */
export const problemOf = (path: string, err: unknown): Problem => {
  if (err instanceof DanglingLink) return { source: err.link, code: 'dangling', message: err.message }
  const code = errorCode(err)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ENXIO':
      return vanished(path)
    case 'EACCES':
    case 'EPERM':
      return {
        source: path,
        code: 'permission',
        message: `${path} may not be read (${code}); run the agent as root or give it CAP_DAC_READ_SEARCH.`,
      }
    case 'ELOOP':
      return { source: path, code: 'dangling', message: `${path} is a link that leads back to itself.` }
    case 'REFUSED':
      return {
        source: path,
        code: 'refused',
        message: `${path} is a link that leaves the tree given by --root; the agent does not follow it.`,
      }
    case 'TOO_LARGE':
      return {
        source: path,
        code: 'too-large',
        message: `${path} is larger than the agent reads (${err instanceof Error ? err.message : ''}); it was left out.`,
      }
    default:
      return { source: path, code: 'io', message: `${path} could not be read (${code}).` }
  }
}
