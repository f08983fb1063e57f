/** An error of Nova that answers a request for a server. */
type NovaRefusal = {
  status: number
  /** Nova's own message; null: none. */
  detail: string | null
}

/**
 * `quota`: the project has no quota left. `policy`: the role or a policy does not allow it. `conflict`: something has changed.
 * `busy`: too many requests. `invalid`: any other refusal.
 */
type RefusalKind = 'quota' | 'policy' | 'conflict' | 'busy' | 'invalid'

const NAMES: Readonly<Record<string, string>> = {
  servers: 'servers',
  instances: 'servers',
  'class:VGPU': 'vGPUs',
  'class:VCPU': 'vCPUs',
  cores: 'vCPUs',
  'class:PCPU': 'dedicated CPUs',
  'class:MEMORY_MB': 'memory',
  ram: 'memory',
  'class:DISK_GB': 'disk',
}

const nameOf = (resource: string): string => NAMES[resource] ?? resource.replace(/^class:(?:CUSTOM_)?/, '')

/** oslo_limit/exception.py, one for each resource. */
const OVER = /Resource (\S+) is over limit of (-?\d+) due to current usage (\d+) and delta (\d+)/g
/** nova/exception.py: QuotaError of the legacy driver, and Nova's own limits of other things. */
const LEGACY = /^Quota exceeded/
const UNIFIED = /is over a limit for/

const shortages = (detail: string): string[] =>
  [...detail.matchAll(OVER)].map(
    ([, resource = '', limit, used, needs]) =>
      `${nameOf(resource)}: ${used} of ${limit} used, ${needs} more needed`,
  )

const quoted = (detail: string | null): string =>
  detail === null || detail === '' ? '' : ` Nova reports: “${detail.replace(/\.$/, '')}”.`

const sentenceOf: Readonly<Record<RefusalKind, (detail: string | null) => string>> = {
  quota: (detail) => {
    const short = shortages(detail ?? '')
    return short.length === 0
      ? `The quota of your project does not allow this server. Request quota or delete a server.${quoted(detail)}`
      : `The quota of your project does not allow this server (${short.join('; ')}). Request quota or delete a server.`
  },
  policy: (detail) =>
    `Nova does not allow you to create this server. Ask an admin of the project for a role that may create servers.${quoted(detail)}`,
  conflict: (detail) =>
    `The server conflicts with something else. Refresh the choices and try again.${quoted(detail)}`,
  busy: () => 'Nova receives too many requests. Try again in a minute.',
  invalid: (detail) => `Nova rejected the server. Select another value and try again.${quoted(detail)}`,
}

const kindOf = ({ status, detail }: NovaRefusal): RefusalKind => {
  if (status === 413 || status === 429) return 'busy'
  if (status === 409) return 'conflict'
  if (status !== 403) return 'invalid'
  return detail !== null && (LEGACY.test(detail) || UNIFIED.test(detail)) ? 'quota' : 'policy'
}

/** What Nova's refusal means to the person who wanted the server, and what to do about it. */
export const describeNovaRefusal = (refusal: NovaRefusal): { kind: RefusalKind; message: string } => {
  const kind = kindOf(refusal)
  return { kind, message: sentenceOf[kind](refusal.detail) }
}
