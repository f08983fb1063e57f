import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { OpenStackServiceName } from '../openstack-error'
import type { CloudConfig, EndpointInterface, ServiceSettings } from './cloud-config'
import { createEntryReader, type Entry, type EntryReader } from './entry'
import { readAuth } from './read-auth'
import { isAbsent, normalizeKeys, resolveSettings } from './resolve-settings'
import { type CloudProblem, isMap, mergeMaps, type YamlMap, type YamlValue } from './yaml-source'

type Folders = { homeDirectory: string; workingDirectory: string }
type TlsSettings = Pick<CloudConfig, 'verify' | 'caFile' | 'caPem' | 'clientCertificate'>

const readPem = async (reader: EntryReader, folders: Folders, key: string) => {
  const text = reader.text(key)
  if (text === null) return null
  const file = resolve(folders.workingDirectory, text.replace(/^~(?=\/)/, folders.homeDirectory))
  try {
    return { file, pem: await readFile(file, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    reader.refuse(key, `${key} names ${file}, which can't be read (${code}).`)
    return null
  }
}

/** `insecure` wins over `verify`; without the check no authority is needed (cloud_region.py: get_requests_verify_args). */
const readVerify = (reader: EntryReader): boolean =>
  reader.boolean('insecure') === true ? false : reader.boolean('verify') !== false

const hasCertificate = (pem: string): boolean => pem.includes('-----BEGIN CERTIFICATE-----')

const checkPair = (reader: EntryReader, pair: { certPem: string; keyPem: string }): void => {
  if (/ENCRYPTED/.test(pair.keyPem)) {
    reader.refuse('key', 'the key of cert has a passphrase, which clouds.yaml has no setting for; remove it.')
    return
  }
  try {
    createSecureContext({ cert: pair.certPem, key: pair.keyPem })
  } catch {
    // OpenSSL's own text is left out: it does not help, and the file holds a secret.
    reader.refuse('cert', 'cert and key do not belong together, or one of them is no PEM file.')
  }
}

/** The client's certificate; without `key` its file holds both, as in requests' `cert`. */
const readClientCertificate = async (reader: EntryReader, folders: Folders) => {
  const cert = await readPem(reader, folders, 'cert')
  if (cert === null) return null
  const hasKey = reader.text('key') !== null
  const key = hasKey ? await readPem(reader, folders, 'key') : cert
  if (key === null) return null
  if (!hasCertificate(cert.pem)) {
    reader.refuse('cert', `cert names ${cert.file}, which holds no PEM certificate.`)
    return null
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key.pem)) {
    const remedy = hasKey
      ? 'which holds no PEM private key'
      : 'which holds no private key; name its file as key'
    reader.refuse(hasKey ? 'key' : 'cert', `${hasKey ? 'key' : 'cert'} names ${key.file}, ${remedy}.`)
    return null
  }
  const pair = { certPem: cert.pem, keyPem: key.pem }
  checkPair(reader, pair)
  return pair
}

const readTls = async (reader: EntryReader, folders: Folders): Promise<TlsSettings> => {
  const verify = readVerify(reader)
  const clientCertificate = await readClientCertificate(reader, folders)
  const authorities = verify ? await readPem(reader, folders, 'cacert') : null
  if (authorities === null) return { verify, caFile: null, caPem: null, clientCertificate }
  const { file, pem } = authorities
  if (!hasCertificate(pem)) reader.refuse('cacert', `cacert names ${file}, which holds no PEM certificate.`)
  return { verify, caFile: file, caPem: pem, clientCertificate }
}

/** One region of an entry and the values that it alone has. Null: the entry names no region. */
type EntryRegion = { region: string | null; values: YamlMap }

type Refuse = (key: string, message: string) => void

const toRegion = (item: YamlValue, refuse: Refuse): EntryRegion[] => {
  if (typeof item === 'string') return [{ region: isAbsent(item) ? null : item, values: {} }]
  const isSound = isMap(item) && Object.keys(item).every((key) => key === 'name' || key === 'values')
  if (isSound && typeof item.name === 'string')
    return [{ region: item.name, values: isMap(item.values) ? item.values : {} }]
  refuse('regions', 'each of regions must be a name, or a map of name and values alone.')
  return []
}

/** `regions` before `region_name`, which may be a list or have commas. Null: neither is there. */
const regionsOf = (values: YamlMap, refuse: Refuse): EntryRegion[] | null => {
  const { regions, region_name: name } = normalizeKeys(values)
  if (regions !== undefined && !isAbsent(regions)) {
    if (Array.isArray(regions)) return regions.flatMap((item: YamlValue) => toRegion(item, refuse))
    refuse('regions', 'regions must be a list.')
    return []
  }
  if (name === undefined || isAbsent(name)) return null
  if (Array.isArray(name)) return name.flatMap((item: YamlValue) => toRegion(item, refuse))
  if (typeof name === 'string') return name.split(',').flatMap((part) => toRegion(part.trim(), refuse))
  refuse('region_name', 'region_name must be a name or a list of names.')
  return []
}

/** Of entries with one name the first counts (openstacksdk's loader.py, _get_region). */
const firstOfName = (regions: readonly EntryRegion[]): EntryRegion[] =>
  regions.filter(({ region }, index) => regions.findIndex((other) => other.region === region) === index)

/** As openstacksdk's loader.py (_get_known_regions): of the entry itself, else of its profile, else one without a name. */
const splitRegions = (entry: Entry): { regions: EntryRegion[]; problems: CloudProblem[] } => {
  const problems: CloudProblem[] = []
  const refuse: Refuse = (key, message) => {
    problems.push({ ...entry.locate([key]), message: `Cloud "${entry.cloud}": ${message}` })
  }
  const regions = regionsOf(entry.own, refuse) ?? regionsOf(entry.profile, refuse) ?? []
  const isUnnamed = regions.length === 0 && problems.length === 0
  return { regions: isUnnamed ? [{ region: null, values: {} }] : firstOfName(regions), problems }
}

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

/** Neutron and Glance are optional: wrong settings make one of them unavailable, and not the cloud. */
const readOptional = (reader: EntryReader, type: 'network' | 'image'): ServiceSettings => {
  const earlier = reader.problems.length
  const settings = readService(reader, type)
  const problem = reader.problems[earlier]
  return problem === undefined ? settings : { unusableBecause: problem.message }
}

/** Settings of one service come before those of the cloud (cloud_region.py: _get_config). */
const readServices = (reader: EntryReader, optional: EntryReader): CloudConfig['services'] => {
  const identity = readOverride(reader, 'identity')
  const found: [OpenStackServiceName, ServiceSettings][] = [
    ['nova', readService(reader, 'compute')],
    ['placement', readService(reader, 'placement')],
    ['neutron', readOptional(optional, 'network')],
    ['glance', readOptional(optional, 'image')],
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
