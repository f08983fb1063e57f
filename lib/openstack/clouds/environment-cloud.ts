import type { Entry } from './entry'
import type { YamlMap } from './yaml-source'

const AUTH_KEYS = [
  'auth_url',
  'username',
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
  'system_scope',
  'application_credential_id',
  'application_credential_name',
  'application_credential_secret',
]

const OTHER_KEYS = [
  'auth_type',
  'region_name',
  'interface',
  'endpoint_type',
  'cacert',
  'verify',
  'insecure',
  'compute_endpoint_override',
  'placement_endpoint_override',
  'identity_endpoint_override',
]

const pick = (environment: Readonly<Record<string, string | undefined>>, keys: readonly string[]): YamlMap =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = environment[`OS_${key.toUpperCase()}`]
      return value ? [[key, value]] : []
    }),
  )

/** The cloud that `OS_AUTH_URL` and its companions describe, `envvars` unless OS_CLOUD_NAME says otherwise. */
export const readEnvironmentCloud = (
  environment: Readonly<Record<string, string | undefined>>,
): Entry | null => {
  const auth = pick(environment, AUTH_KEYS)
  if (Object.keys(auth).length === 0) return null
  return {
    cloud: environment.OS_CLOUD_NAME || 'envvars',
    values: { ...pick(environment, OTHER_KEYS), auth },
    locate: () => ({ file: 'environment', line: null }),
  }
}
