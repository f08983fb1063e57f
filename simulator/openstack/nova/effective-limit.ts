import type { Cloud } from '../cloud'
import { serviceIdOf } from '../demo-cloud/catalog'

/** What oslo.limit finds for a project: it asks with Nova's service and region, so rows without a region are not found. */
export const effectiveLimit = (
  { keystone, region }: Cloud,
  resourceName: string,
  projectId: string | null,
): number | null => {
  const serviceId = serviceIdOf('compute')
  const isOf = (row: { resourceName: string; regionId: string | null; serviceId: string }): boolean =>
    row.resourceName === resourceName && row.regionId === region && row.serviceId === serviceId
  const registered = keystone.registeredLimits.find(isOf)
  const own = keystone.limits.find((row) => isOf(row) && row.projectId === projectId)
  return own?.resourceLimit ?? registered?.defaultLimit ?? null
}
