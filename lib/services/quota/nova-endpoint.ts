import 'server-only'
import type { ServiceAccount } from '@/lib/openstack/session/types'

/** Id of Nova's public endpoint in the account's region, as `[oslo_limit] endpoint_id` wants it; null: none is found. */
export const novaEndpointId = async (account: ServiceAccount): Promise<string | null> => {
  const [token, ids] = await Promise.all([account.token('project'), account.novaEndpointIds()])
  const endpoints = token.catalog
    .filter(({ id }) => id === ids?.serviceId)
    .flatMap((entry) => entry.endpoints)
    .filter(({ regionId }) => regionId === ids?.regionId)
  return (endpoints.find((endpoint) => endpoint.interface === 'public') ?? endpoints[0])?.id ?? null
}
