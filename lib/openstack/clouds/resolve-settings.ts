import { isMap, type YamlMap, type YamlValue } from './yaml-source'

type Settings = Map<string, YamlValue>

const ABSENT = ['', '~', 'null', 'None']

export const isAbsent = (value: YamlValue | undefined): boolean =>
  value === undefined || (typeof value === 'string' && ABSENT.includes(value))

/** Keys with dashes mean those with underscores; the later of two counts (openstack/config/_util.py: normalize_keys). */
export const normalizeKeys = (map: YamlMap): YamlMap =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [
      key.replaceAll('-', '_'),
      isMap(value) ? normalizeKeys(value) : value,
    ]),
  )

const bothForms = (key: string): string[] => [key, key.replaceAll('_', '-')]

/**
 * Keys that openstacksdk moves into `auth`, by their current name. The last of the keys that has a value counts, and a value next to
 * `auth` rather than one below it (loader.py: _fix_backwards_auth; before openstacksdk 4 a value below it).
 */
const MOVED_AUTH_KEYS: readonly (readonly [target: string, keys: readonly string[]])[] = [
  ...[
    'domain_id',
    'domain_name',
    'user_domain_id',
    'user_domain_name',
    'project_domain_id',
    'project_domain_name',
  ].map((key) => [key, bothForms(key)] as const),
  ['project_id', [...bothForms('tenant_id'), ...bothForms('project_id')]],
  ['project_name', [...bothForms('tenant_name'), ...bothForms('project_name')]],
]

const take = (settings: Settings, key: string): YamlValue | undefined => {
  const value = settings.get(key)
  settings.delete(key)
  return isAbsent(value) ? undefined : value
}

const moveAuthKeys = (top: Settings, auth: Settings): void => {
  for (const [target, keys] of MOVED_AUTH_KEYS) {
    let value: YamlValue | undefined
    for (const key of keys) for (const settings of [auth, top]) value = take(settings, key) ?? value
    if (value !== undefined) auth.set(target, value)
  }
}

/** With a project, `domain_id` and `domain_name` are those of the user and of the project (loader.py: _handle_domain_id). */
const spreadDomain = (auth: Settings): void => {
  if (!auth.has('project_id') && !auth.has('project_name')) return
  for (const form of ['id', 'name']) {
    const shared = take(auth, `domain_${form}`)
    if (shared === undefined) continue
    for (const whose of ['user', 'project']) {
      const key = `${whose}_domain_${form}`
      if (!auth.has(key)) auth.set(key, shared)
    }
  }
}

/** Any other `…timeout` of the entry is the one timeout (loader.py: _fix_backwards_api_timeout). */
const joinTimeouts = (top: Settings): void => {
  for (const [key, value] of [...top]) {
    if (!key.endsWith('timeout') || key === 'timeout' || key === 'api_timeout') continue
    top.delete(key)
    if (!isAbsent(value)) top.set('api_timeout', value)
  }
}

/** Of `…_interface` and its old name `…_endpoint_type` the later counts (loader.py: _fix_backwards_interface). */
const renameOldKeys = (top: Settings): Settings => {
  const named: Settings = new Map()
  for (const [key, value] of top)
    if (key !== 'endpoint_type') named.set(key.replace(/endpoint_type$/, 'interface'), value)
  // Without a prefix the old name counts (loader.py: magic_fixes).
  const old = top.get('endpoint_type')
  return old === undefined ? named : named.set('interface', old)
}

/** Over the entry's values, those of one region; its `auth` is added to the entry's. */
const withRegion = (values: YamlMap, own: YamlMap): Settings => {
  const settings = new Map(Object.entries(values))
  for (const [key, value] of Object.entries(own)) {
    const below = settings.get(key)
    if (isAbsent(value)) continue
    settings.set(key, key === 'auth' && isMap(below) && isMap(value) ? { ...below, ...value } : value)
  }
  return settings
}

/**
 * An entry's values for one region under their current names, in the way of openstacksdk's loader.py (get_one, magic_fixes):
 * keys with dashes, old names and keys next to `auth` included.
 */
export const resolveSettings = ({
  values,
  region,
  regionValues,
}: {
  values: YamlMap
  region: string | null
  regionValues: YamlMap
}): YamlMap => {
  const all = withRegion(values, regionValues)
  joinTimeouts(all)
  const top = renameOldKeys(all)
  const given = top.get('auth')
  const auth = new Map(Object.entries(isMap(given) ? given : {}))
  top.delete('auth')
  moveAuthKeys(top, auth)
  spreadDomain(auth)
  // A dash means nothing here: openstacksdk looks for auth_type before it replaces dashes.
  top.delete('auth-type')
  return {
    ...normalizeKeys(Object.fromEntries(top)),
    region_name: region ?? '',
    auth: isMap(given) || isAbsent(given) ? normalizeKeys(Object.fromEntries(auth)) : (given ?? ''),
  }
}
