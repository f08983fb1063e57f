import { statSync } from 'node:fs'
import path from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import { parseOptions, UsageError } from './parse-options'

const rootOf = (given: string | undefined): string => {
  const root = path.resolve(given ?? '/')
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root
  throw new UsageError(`--root "${given}" is not a directory; give the top of a host's tree.`)
}

/** The options name paths of the host, below the root. */
const hostPaths = (option: string, given: string[] | undefined): string[] | undefined => {
  const relative = given?.find((path) => !path.startsWith('/'))
  if (relative === undefined) return given
  throw new UsageError(
    `${option} "${relative}" must be an absolute path on the host, such as /etc/nova/nova.conf.`,
  )
}

/** `scan`: the inventory of one host as JSON. Touches no network. */
export const scanCommand = async (words: string[]): Promise<string> => {
  const values = parseOptions('scan', words, {
    root: { type: 'string' },
    hostname: { type: 'string' },
    'nova-config': { type: 'string', multiple: true },
    'guest-xml': { type: 'string', multiple: true },
    'no-nvidia-smi': { type: 'boolean' },
    pretty: { type: 'boolean' },
  })
  const inventory = await scanHost({
    root: rootOf(values.root),
    hostName: values.hostname,
    novaConfig: hostPaths('--nova-config', values['nova-config']),
    guestXml: hostPaths('--guest-xml', values['guest-xml']),
    isNvidiaSmiOff: values['no-nvidia-smi'],
  })
  return `${JSON.stringify(inventory, null, values.pretty ? 2 : undefined)}\n`
}
