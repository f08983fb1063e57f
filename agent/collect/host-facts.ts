import { hostname } from 'node:os'
import type { Inventory, NovaConfig } from '@/lib/schemas/agent/inventory'
import { fact } from './clean-text'
import type { HostFiles } from './host-files'
import type { ProblemLog } from './problem-log'

/** The contract's `hostNameSchema`. */
const HOST_NAME = /^[a-z0-9]([a-z0-9_.-]{0,251}[a-z0-9])?$/

/** No source gave a usable name; the message contains the next step. */
export class NoHostName extends Error {}

type Candidate = { source: string; name: string | null }

/** `[DEFAULT] host`; the last line that sets it counts. */
const novaHost = (config: NovaConfig | null): Candidate => {
  const option = config?.options.findLast(({ section, name }) => section === 'DEFAULT' && name === 'host')
  return { source: option === undefined ? '' : `${option.file}:${option.line}`, name: fact(option?.value) }
}

const candidates = function* (files: HostFiles, config: NovaConfig | null): Generator<Candidate> {
  yield novaHost(config)
  // Without [DEFAULT] host Nova takes the kernel's name, which /etc/hostname need not be.
  for (const path of ['/proc/sys/kernel/hostname', '/etc/hostname']) {
    yield { source: path, name: fact(files.attribute(path)?.split('\n')[0]) }
  }
  if (files.root === '/') yield { source: 'gethostname', name: hostname() }
}

/**
 * The name under which nova-compute runs here: `given`, else `[DEFAULT] host`, else the host's own, lower case. A name
 * that the console would refuse is a problem and the next source counts.
 */
export const hostNameOf = (options: {
  files: HostFiles
  problems: ProblemLog
  novaConfig: NovaConfig | null
  given: string | undefined
}): string => {
  if (options.given !== undefined) {
    const name = options.given.toLowerCase()
    if (HOST_NAME.test(name)) return name
    throw new NoHostName(
      `The host name "${options.given}" is not one: use letters, digits, dots, dashes and underscores, at most 253 characters.`,
    )
  }
  for (const { source, name } of candidates(options.files, options.novaConfig)) {
    if (name === null) continue
    if (HOST_NAME.test(name.toLowerCase())) return name.toLowerCase()
    const message = `${source} names the host "${name}", which is no plain host name; the next source was taken.`
    options.problems.add({ source, code: 'odd-name', message })
  }
  throw new NoHostName('No host name was found in nova.conf or /etc/hostname; give one with --hostname.')
}

/** `PRETTY_NAME` of os-release(5), quotes and backslashes resolved. */
const osNameOf = (files: HostFiles): string | null => {
  const text = files.text('/etc/os-release') ?? files.text('/usr/lib/os-release')
  const value = /^PRETTY_NAME=(.*)$/m.exec(text ?? '')?.[1]?.trim() ?? ''
  const unquoted = /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value
  return fact(unquoted.replace(/\\(["$`\\])/g, '$1'))
}

const kernelOf = (files: HostFiles): string | null => fact(files.attribute('/proc/sys/kernel/osrelease'))

/** Facts of one file each, which the host's page shows; null: the file could not be read, or is empty. */
export const collectHostFacts = (files: HostFiles): Pick<Inventory['host'], 'osName' | 'kernel'> => ({
  osName: osNameOf(files),
  kernel: kernelOf(files),
})
