import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { aliasAmounts } from '@/lib/domain/limits/alias-classes'
import { naturalOrder } from '@/lib/util/natural-order'

/**
 * Resource classes such as `VGPU` that a project may ask for: of flavors for GPUs that are public or that it was given. What flavors
 * of others ask for would tell of them.
 */
export const tenantClasses = (fleet: Fleet, projectId: string): string[] => {
  const names = gpuFlavors(fleet)
    .filter(({ flavor }) => flavor.isPublic || flavor.projectIds?.includes(projectId) === true)
    .flatMap(({ classes, request }) => [...classes, ...aliasAmounts(fleet, request).keys()])
  return [...new Set(names)].toSorted(naturalOrder)
}
