import { isMap, type YamlMap } from './yaml-source'

/** Keys of `auth` that are read; next to `auth` too. */
export const AUTH_KEYS = [
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
export const listIgnoredKeys = (values: YamlMap): { unknown: string[]; clientOnly: string[] } => {
  const auth = isMap(values.auth) ? values.auth : {}
  const top = Object.keys(values).filter((key) => !isRead(key))
  const isClientOnly = (key: string) => CLIENT_ONLY.test(key.replaceAll('-', '_'))
  const below = Object.keys(auth).filter((key) => !AUTH_KEYS.includes(key.replaceAll('-', '_')))
  return {
    unknown: [...top.filter((key) => !isClientOnly(key)), ...below.map((key) => `auth.${key}`)],
    clientOnly: top.filter(isClientOnly),
  }
}
