import { ServiceError } from '@/lib/server/errors/service-error'
import type { StoredHost } from '@/lib/services/stored-host/describe-stored-host'

const MAX_ADDRESSES_NAMED = 8

export const noSuchGpu = ({ row, description }: StoredHost, address: string): ServiceError => {
  const addresses = description.pgpus.map((pgpu) => pgpu.address)
  const named = addresses.slice(0, MAX_ADDRESSES_NAMED).join(', ')
  const more =
    addresses.length > MAX_ADDRESSES_NAMED ? ` and ${addresses.length - MAX_ADDRESSES_NAMED} more` : ''
  const instead = addresses.length === 0 ? 'It reports no GPU at all.' : `It reports ${named}${more}.`
  return new ServiceError('not_found', `Host "${row.name}" has no GPU at "${address}". ${instead}`, {
    field: 'address',
  })
}
