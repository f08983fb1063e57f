import type { Entry } from './entry'
import { AUTH_KEYS } from './ignored-keys'

/** They select a cloud or a file, or belong to OpenStack's test tools (loader.py: _get_os_environ). */
const OTHERS =
  /^OS_(CLOUD|CLOUD_NAME|CLIENT_CONFIG_FILE|CLIENT_SECURE_FILE|CLIENT_VENDOR_FILE|TEST.*|STD.*|LOG.*)$/

/** The cloud that `OS_AUTH_URL` and its companions describe, `envvars` unless OS_CLOUD_NAME sets another name. */
export const readEnvironmentCloud = (
  environment: Readonly<Record<string, string | undefined>>,
): Entry | null => {
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
