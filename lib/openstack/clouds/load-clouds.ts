import type { CloudConfig } from './cloud-config'
import { CLOUDS, findConfigFile, SECURE, type SearchInput, VENDORS } from './config-files'
import type { Entry } from './entry'
import { type CloudDefaults, readCloud } from './read-cloud'
import { type CloudProblem, isMap, mergeMaps, type YamlMap, type YamlSource } from './yaml-source'

/** Keys of `auth` that are read; next to `auth` too. */
const AUTH_KEYS = [
  'auth_url',
  'username',
  'user_name',
  'user_id',
  'password',
  'project_name',
  'project_id',
  'tenant_name',
  'tenant_id',
  'user_domain_name',
  'user_domain_id',
  'project_domain_name',
  'project_domain_id',
  'domain_name',
  'domain_id',
  'default_domain',
  'default_domain_name',
  'default_domain_id',
  'system_scope',
  'trust_id',
  'application_credential_id',
  'application_credential_name',
  'application_credential_secret',
]

const TOP_KEYS = [
  ...AUTH_KEYS,
  'auth',
  'auth_type',
  'profile',
  'cloud',
  'region_name',
  'regions',
  'interface',
  'endpoint_type',
  'verify',
  'insecure',
  'cacert',
  'cert',
  'key',
  'api_timeout',
]
const SERVICE_KEYS =
  /^(compute|placement|network)_(interface|endpoint_type|region_name|service_type|service_name|endpoint_override|endpoint)$|^identity_endpoint(_override)?$/

/** Settings of clients for services that the console does not call, and versions, which the console negotiates. */
const CLIENT_ONLY =
  /_api_version$|_microversion$|_retries$|^(accelerator|baremetal|block_storage|container|database|dns|image|instance_ha|key_manager|load_balancer|messaging|metric|object_store|orchestration|secgroup|shared_file_system|volume|volumev2|volumev3|workflow)_|^(networks|floating_ip_source|external_network|internal_network|status|message|vendor_hook|disable_vendor_agent|force_ipv4|prefer_ipv6|cache|metrics|requires_floating_ip)$|^has_/

const isRead = (written: string): boolean => {
  const key = written.replaceAll('-', '_')
  // openstacksdk looks for these before it replaces dashes, so with a dash they mean nothing.
  if (written !== key && /(endpoint_type|^auth_type)$/.test(key)) return false
  if (key !== 'timeout' && key.endsWith('timeout')) return true
  return TOP_KEYS.includes(key) || SERVICE_KEYS.test(key)
}

/** Of an entry: keys that mean nothing to the console, and those that only other clients need. */
const listIgnoredKeys = (values: YamlMap): { unknown: string[]; clientOnly: string[] } => {
  const auth = isMap(values.auth) ? values.auth : {}
  const top = Object.keys(values).filter((key) => !isRead(key))
  const isClientOnly = (key: string) => CLIENT_ONLY.test(key.replaceAll('-', '_'))
  const below = Object.keys(auth).filter((key) => !AUTH_KEYS.includes(key.replaceAll('-', '_')))
  return {
    unknown: [...top.filter((key) => !isClientOnly(key)), ...below.map((key) => `auth.${key}`)],
    clientOnly: top.filter(isClientOnly),
  }
}

/** They select a cloud or a file, or belong to OpenStack's test tools (loader.py: _get_os_environ). */
const OTHERS =
  /^OS_(CLOUD|CLOUD_NAME|CLIENT_CONFIG_FILE|CLIENT_SECURE_FILE|CLIENT_VENDOR_FILE|TEST.*|STD.*|LOG.*)$/

/** The cloud that `OS_AUTH_URL` and its companions describe, `envvars` unless OS_CLOUD_NAME sets another name. */
const readEnvironmentCloud = (environment: Readonly<Record<string, string | undefined>>): Entry | null => {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith('OS_') && !OTHERS.test(name) && value) own[name.slice(3).toLowerCase()] = value
  }
  if (!AUTH_KEYS.some((key) => Object.hasOwn(own, key))) return null
  return {
    cloud: environment.OS_CLOUD_NAME || 'envvars',
    own,
    profile: {},
    locate: () => ({ file: 'environment', line: null }),
  }
}

export type LoadCloudsInput = {
  environment: Readonly<Record<string, string | undefined>>
  workingDirectory: string
  homeDirectory: string
  /** Default `/etc/openstack`. */
  systemDirectory?: string
  defaults?: Partial<CloudDefaults>
}

export type LoadedClouds = {
  /** One per cloud and region. */
  clouds: CloudConfig[]
  /** Of OS_CLOUD; null: not set. */
  selectedName: string | null
  /** Files that were read. */
  files: string[]
  /** A file, an OS_ variable or OS_CLOUD configures some cloud, whether or not it can be used. */
  isConfigured: boolean
  problems: CloudProblem[]
  /** What was read otherwise than it may be meant, though the cloud can be used. */
  warnings: CloudProblem[]
  /** Keys that only other clients need. */
  notes: CloudProblem[]
}

const DEFAULTS: CloudDefaults = { timeoutMs: 30_000, requestsPerSecond: 40 }

const mapAt = (source: YamlSource | null, key: string): YamlMap => {
  const value = source?.root[key]
  return isMap(value) ? value : {}
}

const checkTop = (source: YamlSource | null, key: string): CloudProblem[] => {
  const value = source?.root[key]
  if (source === null || value === undefined || value === '' || isMap(value)) return []
  return [
    { file: source.file, line: source.lineOf([key]), message: `"${key}" must be a map of clouds by name.` },
  ]
}

/** A file without clouds is most often one whose key is misspelled. */
const checkEmpty = (source: YamlSource | null): CloudProblem[] => {
  if (source === null) return []
  const { file, root, lineOf } = source
  const keys = Object.keys(root)
  if (keys.length === 0)
    return [{ file, line: null, message: 'The file is empty; describe a cloud below "clouds:".' }]
  const value = root.clouds
  if (value === '' || (isMap(value) && Object.keys(value).length === 0))
    return [{ file, line: lineOf(['clouds']), message: '"clouds:" is empty; describe a cloud below it.' }]
  if (value !== undefined) return []
  const close = keys.find((key) => /^clouds?$/i.test(key.trim()))
  const found = close === undefined ? '' : ` but "${close}:"`
  const remedy = close === undefined ? 'put the clouds below "clouds:"' : 'rename it to "clouds:"'
  const message = `The file has no "clouds:" at its top${found}; ${remedy}.`
  return [{ file, line: null, message }]
}

type Files = { clouds: YamlSource | null; secure: YamlSource | null; vendors: YamlSource | null }

type NamedEntry = { entry: Entry; warnings: CloudProblem[] }

const hasAuthUrl = (values: YamlMap): boolean =>
  [values, isMap(values.auth) ? values.auth : {}].some((map) => 'auth_url' in map || 'auth-url' in map)

const toEntry = (name: string, files: Files, environmentName: string): NamedEntry | CloudProblem => {
  const own = mapAt(files.clouds, 'clouds')[name] || undefined
  const secret = mapAt(files.secure, 'clouds')[name]
  // openstacksdk takes a cloud that only secure.yaml describes as well (loader.py: merge_clouds).
  const source = own === undefined ? (files.secure ?? files.clouds) : files.clouds
  const file = source?.file ?? ''
  const locate = (path: readonly string[]) => ({
    file,
    line: source?.lineOf(['clouds', name, ...path]) ?? null,
  })
  const values = own ?? secret
  if (!isMap(values)) return { ...locate([]), message: `Cloud "${name}" must be a map with "auth:" in it.` }
  const merged = isMap(own) && isMap(secret) ? mergeMaps(own, secret) : values
  const entry: Entry = { cloud: name, own: merged, profile: {}, locate }
  const key = 'profile' in merged ? 'profile' : 'cloud'
  const profile = merged[key]
  if (typeof profile !== 'string' || profile === '' || profile === environmentName)
    return { entry, warnings: [] }
  const vendor = mapAt(files.vendors, 'public-clouds')[profile]
  if (isMap(vendor)) return { entry: { ...entry, profile: vendor }, warnings: [] }
  const unknown = `Cloud "${name}" uses the profile "${profile}", which is not in clouds-public.yaml`
  if (!hasAuthUrl(merged)) return { ...locate([key]), message: `${unknown}; write its auth_url here.` }
  const warning = { ...locate([key]), message: `${unknown}, so only the entry's own settings are used.` }
  return { entry, warnings: [warning] }
}

const listEntries = (
  files: Files,
  environment: LoadCloudsInput['environment'],
): (NamedEntry | CloudProblem)[] => {
  const names = [files.clouds, files.secure].flatMap((source) => Object.keys(mapAt(source, 'clouds')))
  const environmentName = environment.OS_CLOUD_NAME || 'envvars'
  const entries = [...new Set(names)].map((name) => toEntry(name, files, environmentName))
  const own = readEnvironmentCloud(environment)
  if (own === null) return entries
  if (!names.includes(own.cloud)) return [...entries, { entry: own, warnings: [] }]
  return [
    ...entries,
    {
      file: 'environment',
      line: null,
      message: `The OS_ variables describe a cloud "${own.cloud}", and so does clouds.yaml; rename one of them.`,
    },
  ]
}

const checkSelected = (selectedName: string | null, entries: readonly (NamedEntry | CloudProblem)[]) => {
  if (selectedName === null) return []
  if (entries.some((item) => 'entry' in item && item.entry.cloud === selectedName)) return []
  const message = `OS_CLOUD is "${selectedName}", but no clouds.yaml has a usable cloud of that name.`
  return [{ file: 'environment', line: null, message }]
}

const describeRepeated = (source: YamlSource | null): CloudProblem[] =>
  (source?.repeated ?? []).map(({ key, line }) => ({
    file: source?.file ?? '',
    line,
    message: `"${key}" is repeated; this later value is used.`,
  }))

/** Every key that is not read, once for an entry. */
const describeIgnored = ({ cloud, own, profile, locate }: Entry) => {
  const { unknown, clientOnly } = listIgnoredKeys(mergeMaps(profile, own))
  const toProblem = (keys: readonly string[], why: string): CloudProblem[] =>
    keys.length === 0
      ? []
      : [{ ...locate((keys[0] ?? '').split('.')), message: `Cloud "${cloud}": ${why}: ${keys.join(', ')}.` }]
  return {
    warnings: toProblem(unknown, 'keys that Sliceboard does not read'),
    notes: toProblem(clientOnly, 'keys that only other clients need, and that are not read'),
  }
}

/**
 * Reads the clouds that this machine knows, where openstacksdk looks for them: clouds.yaml with secure.yaml over it,
 * profiles of a local clouds-public.yaml, and the OS_ variables. What is wrong becomes a problem with file, line and
 * rule, and its cloud is left out; nothing is thrown. No message holds a secret. A file that yields no cloud is a problem.
 */
export const loadClouds = async (input: LoadCloudsInput): Promise<LoadedClouds> => {
  const search: SearchInput = { ...input, systemDirectory: input.systemDirectory ?? '/etc/openstack' }
  const [clouds, secure, vendors] = await Promise.all([
    findConfigFile(search, CLOUDS),
    findConfigFile(search, SECURE),
    findConfigFile(search, VENDORS),
  ])
  const files: Files = { clouds: clouds.source, secure: secure.source, vendors: vendors.source }
  const problems = [clouds, secure, vendors].flatMap((found) => found.problems)
  problems.push(...checkTop(files.clouds, 'clouds'), ...checkTop(files.secure, 'clouds'))
  problems.push(...checkTop(files.vendors, 'public-clouds'))
  problems.push(...checkEmpty(files.clouds))
  const warnings = [files.clouds, files.secure, files.vendors].flatMap(describeRepeated)
  const notes: CloudProblem[] = []

  const selectedName = input.environment.OS_CLOUD || null
  const entries = listEntries(files, input.environment)
  const configs: CloudConfig[] = []
  for (const item of entries) {
    if ('message' in item) {
      problems.push(item)
      continue
    }
    const { entry } = item
    const ignored = describeIgnored(entry)
    warnings.push(...item.warnings, ...ignored.warnings)
    notes.push(...ignored.notes)
    const read = await readCloud({ ...input, entry, defaults: { ...DEFAULTS, ...input.defaults } })
    configs.push(...read.clouds)
    problems.push(...read.problems)
    warnings.push(...read.warnings)
  }
  problems.push(...checkSelected(selectedName, entries))
  if (clouds.file === null && configs.length === 0)
    problems.push(...clouds.closedFolders, ...checkEmpty(files.secure))
  const isFound = clouds.file !== null || secure.file !== null
  return {
    clouds: configs,
    selectedName,
    files: [clouds, secure, vendors].flatMap((found) => (found.file === null ? [] : [found.file])),
    isConfigured: isFound || entries.length > 0 || problems.length > 0,
    problems,
    warnings,
    notes,
  }
}
