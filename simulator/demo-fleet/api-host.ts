import type { ExtraEntry, HostSpec } from '@/simulator/host-tree/host-spec'
import { uuidFrom } from '@/simulator/random/uuid-from'
import type { FleetHost } from '@/simulator/world/fleet-host'

/** The host of the demo on which Nova's API runs too. */
export const API_HOST = 'cmp-r7-05'

/** Where nova.conf of Nova's API lies on its host. */
export const API_CONF_PATH = '/etc/kolla/nova-api/nova.conf'

/** Forgotten on the API, as it happens: flavors that ask for it are refused. */
const FORGOTTEN = 'mi210'

/** Of cards that were sold; nothing takes it any more. */
const LEFT_OVER =
  'alias = {"name": "v100", "vendor_id": "10de", "product_id": "1db4", "device_type": "type-PCI"}'

/** The section after the setup of unified limits; the password never leaves the host. */
const LIMITS = [
  '[quota]',
  'driver = nova.quota.UnifiedLimitsDriver',
  '',
  '[oslo_limit]',
  `endpoint_id = ${uuidFrom('endpoint RegionOne compute public').replaceAll('-', '')}`,
  'username = nova',
  'user_domain_name = Default',
  'system_scope = all',
  'password = demo-nova',
]

const aliasLines = ({ nova }: HostSpec): string[] => {
  const written = (nova.files ?? []).flatMap(({ text }) => text.split('\n'))
  return [...(nova.sections.pci ?? []), ...written].flatMap((line) => {
    const value = /^(?:alias|pci_alias)\s*=\s*(\{.*\})$/.exec(line)?.[1]
    return value === undefined ? [] : [`alias = ${value}`]
  })
}

const nameOf = (line: string): string => /"name":\s*"([^"]+)"/.exec(line)?.[1] ?? ''

const apiConf = (hosts: readonly FleetHost[]): ExtraEntry => {
  const lines = new Map<string, string>()
  for (const line of hosts.flatMap(({ spec }) => aliasLines(spec)))
    if (!lines.has(nameOf(line)) && nameOf(line) !== FORGOTTEN) lines.set(nameOf(line), line)
  const text = [
    '[DEFAULT]',
    'enabled_apis = osapi_compute',
    '',
    '[pci]',
    ...lines.values(),
    LEFT_OVER,
    '',
    ...LIMITS,
    '',
  ]
  return { kind: 'file', path: API_CONF_PATH, content: text.join('\n'), mode: 0o640 }
}

/** The fleet with Nova's API on one of its hosts, which knows nearly every alias of the others. */
export const withApiHost = (hosts: readonly FleetHost[]): FleetHost[] =>
  hosts.map((host) =>
    host.spec.name === API_HOST
      ? { ...host, spec: { ...host.spec, extras: [...host.spec.extras, apiConf(hosts)] } }
      : host,
  )
