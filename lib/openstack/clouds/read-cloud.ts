import type { OpenStackServiceName } from '../openstack-error'
import type { CloudConfig, EndpointInterface, ServiceSettings } from './cloud-config'
import { createEntryReader, type Entry, type EntryReader } from './entry'
import { readAuth } from './read-auth'
import { type Folders, readTls } from './read-tls'
import { resolveSettings } from './resolve-settings'
import { type EntryRegion, splitRegions } from './split-regions'
import { type CloudProblem, mergeMaps } from './yaml-source'

export type CloudDefaults = { timeoutMs: number; requestsPerSecond: number }

type ReadCloudInput = Folders & { entry: Entry; defaults: CloudDefaults }

const readUrl = (reader: EntryReader, path: string): string | null => {
  const text = reader.text(path)
  if (text === null) return null
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    reader.refuse(path, `${path} must be an address that begins with http:// or https://.`)
    return null
  }
  const url = new URL(text)
  if (/^\.|\.\./.test(url.hostname)) {
    reader.refuse(path, `${path} has a host name with an empty part; is region_name missing?`)
    return null
  }
  if (url.username !== '' || url.password !== '') {
    reader.refuse(path, `${path} must not hold a user or a password.`)
    return null
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

const readAuthUrl = (reader: EntryReader): string | null => {
  const url = readUrl(reader, 'auth.auth_url')
  if (url === null) {
    if (reader.problems.length === 0) reader.refuse('auth', 'auth has no auth_url, the address of Keystone.')
    return null
  }
  if (!/\/v2(\.0)?$/.test(url)) return url
  reader.refuse(
    'auth.auth_url',
    'auth_url ends with v2.0, but only Keystone v3 is supported; end it with /v3.',
  )
  return null
}

const readInterfaces = (reader: EntryReader, key: string): EndpointInterface[] =>
  reader.texts(key).flatMap((text): EndpointInterface[] => {
    const name = text.replace(/URL$/, '')
    if (name === 'public' || name === 'internal' || name === 'admin') return [name]
    reader.refuse(key, `${key} is "${text}", but it must be public, internal or admin.`)
    return []
  })

const readTimeoutMs = (reader: EntryReader, defaults: CloudDefaults): number => {
  const text = reader.text('api_timeout')
  if (text === null) return defaults.timeoutMs
  const seconds = Number(text)
  if (seconds >= 0.1 && seconds <= 600) return seconds * 1000
  reader.refuse('api_timeout', `api_timeout is "${text}", but it must be seconds from 0.1 to 600.`)
  return defaults.timeoutMs
}

const readOverride = (reader: EntryReader, prefix: string): string | null =>
  readUrl(reader, `${prefix}_endpoint_override`) ?? readUrl(reader, `${prefix}_endpoint`)

const readService = (reader: EntryReader, prefix: string): ServiceSettings => {
  const interfaces = readInterfaces(reader, `${prefix}_interface`)
  const region = reader.text(`${prefix}_region_name`)
  const serviceType = reader.text(`${prefix}_service_type`)
  const serviceName = reader.text(`${prefix}_service_name`)
  const endpointOverride = readOverride(reader, prefix)
  return {
    ...(interfaces.length === 0 ? {} : { interfaces }),
    ...(region === null ? {} : { region }),
    ...(serviceType === null ? {} : { serviceType }),
    ...(serviceName === null ? {} : { serviceName }),
    ...(endpointOverride === null ? {} : { endpointOverride }),
  }
}

/** Neutron is optional: wrong settings make it unavailable, and not the cloud. */
const readNeutron = (reader: EntryReader): ServiceSettings => {
  const settings = readService(reader, 'network')
  const [problem] = reader.problems
  return problem === undefined ? settings : { unusableBecause: problem.message }
}

/** Settings of one service come before those of the cloud (cloud_region.py: _get_config). */
const readServices = (reader: EntryReader, optional: EntryReader): CloudConfig['services'] => {
  const identity = readOverride(reader, 'identity')
  const found: [OpenStackServiceName, ServiceSettings][] = [
    ['nova', readService(reader, 'compute')],
    ['placement', readService(reader, 'placement')],
    ['neutron', readNeutron(optional)],
    ['keystone', identity === null ? {} : { endpointOverride: identity }],
  ]
  return Object.fromEntries(found.filter(([, settings]) => Object.keys(settings).length > 0))
}

const readRegion = async (input: ReadCloudInput, { region, values }: EntryRegion) => {
  const { entry } = input
  const merged = mergeMaps(entry.profile, entry.own)
  const settings = resolveSettings({ values: merged, region, regionValues: values })
  const reader = createEntryReader({ entry, values: settings })
  const optional = createEntryReader({ entry, values: settings })
  const authUrl = readAuthUrl(reader)
  const auth = readAuth(reader)
  const interfaces = readInterfaces(reader, 'interface')
  const rest = {
    interfaces: interfaces.length === 0 ? (['public'] as const) : interfaces,
    ...(await readTls(reader, input)),
    services: readServices(reader, optional),
    timeoutMs: readTimeoutMs(reader, input.defaults),
    requestsPerSecond: input.defaults.requestsPerSecond,
  }
  const isSound = authUrl !== null && auth !== null && reader.problems.length === 0
  const clouds: CloudConfig[] = isSound ? [{ name: entry.cloud, region, authUrl, auth, ...rest }] : []
  return { clouds, problems: reader.problems, warnings: optional.problems }
}

/** An entry with a problem gives no cloud: half a configuration would query the wrong server, or an unverified one. */
export const readCloud = async (
  input: ReadCloudInput,
): Promise<{ clouds: CloudConfig[]; problems: CloudProblem[]; warnings: CloudProblem[] }> => {
  const { regions, problems } = splitRegions(input.entry)
  if (problems.length > 0) return { clouds: [], problems, warnings: [] }
  const clouds: CloudConfig[] = []
  const seen = new Map<string, CloudProblem>()
  const warnings = new Map<string, CloudProblem>()
  for (const region of regions) {
    const read = await readRegion(input, region)
    clouds.push(...read.clouds)
    for (const problem of read.problems) seen.set(problem.message, problem)
    for (const warning of read.warnings) warnings.set(warning.message, warning)
  }
  return { clouds, problems: [...seen.values()], warnings: [...warnings.values()] }
}
