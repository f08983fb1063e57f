import { z } from 'zod'
import { ApiError } from '../http/api-error'
import type { ApiAnswer } from '../http/api-request'
import { collection } from './collection'
import type { KeystoneCall } from './keystone-handler'
import type { KeystoneState } from './keystone-state'

export const limitValue = z.number().int().min(-1).max(2_147_483_647)

/** Which resource of which service and region: the key by which limits find their registered limit. */
export type LimitKey = { serviceId: string; regionId: string | null; resourceName: string }

export const isSameKey = (a: LimitKey, b: LimitKey): boolean =>
  a.serviceId === b.serviceId && a.regionId === b.regionId && a.resourceName === b.resourceName

/** Keystone looks for the service and the region before it stores a limit. */
export const checkReferences = (
  state: KeystoneState,
  { serviceId, regionId }: LimitKey,
  where: 'registered_limit' | 'limit',
): void => {
  if (!state.services.some(({ id }) => id === serviceId)) {
    throw new ApiError(400, `Expecting to find service ${serviceId} in ${where}.`)
  }
  if (regionId !== null && !state.regions.includes(regionId)) {
    throw new ApiError(400, `Expecting to find region ${regionId} in ${where}.`)
  }
}

export const duplicate = (): ApiError =>
  new ApiError(409, 'Conflict occurred attempting to store limit - Duplicate entry.')

/** Filters are exact: `region_id=RegionOne` does not find rows without a region. */
export const filtered = <Row extends LimitKey>(
  { request }: KeystoneCall,
  rows: Row[],
  extra: (row: Row) => boolean = () => true,
): Row[] => {
  const { query } = request
  const service = query.get('service_id')
  const region = query.get('region_id')
  const name = query.get('resource_name')
  return rows.filter(
    (row) =>
      (service === null || row.serviceId === service) &&
      (region === null || row.regionId === region) &&
      (name === null || row.resourceName === name) &&
      extra(row),
  )
}

/** Never paged: `[unified_limit] list_limit` cuts it (keystone/limit/backends/sql.py). */
export const limitCollection = <Row extends { id: string }>(
  call: KeystoneCall,
  list: { key: string; rows: readonly Row[]; bodyOf: (row: Row) => unknown },
): ApiAnswer => collection(call, { ...list, idOf: ({ id }) => id, listLimit: call.cloud.keystone.listLimit })
