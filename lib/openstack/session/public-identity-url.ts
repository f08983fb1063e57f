import { isOpenStackError } from '../openstack-error'
import type { ServiceAccount } from './types'

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/**
 * Keystone's public endpoint in the catalog, the address for browsers: `auth_url` may be one that only services reach. Null:
 * the catalog has none for the region, or Keystone does not answer.
 */
export const publicIdentityUrl = async ({
  token,
  region,
}: Pick<ServiceAccount, 'token' | 'region'>): Promise<string | null> => {
  try {
    const { catalog } = await token('project')
    const found = catalog
      .filter(({ type }) => type === 'identity' || type === 'identityv3')
      .flatMap(({ endpoints }) => endpoints)
      .filter((endpoint) => endpoint.interface === 'public' && isHttp(endpoint.url))
    const own = found.filter(({ regionId }) => region === null || regionId === region)
    return (own[0] ?? (found.length === 1 ? found[0] : undefined))?.url ?? null
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    return null
  }
}
