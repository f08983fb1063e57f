import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { naturalOrder } from '@/lib/util/natural-order'

/**
 * Whether Nova shows a flavor to members of a project: public, or shared with it. A flavor whose projects Nova has not
 * reported yet is not shown.
 */
const mayUse = ({ isPublic, projectIds }: Flavor, projectId: string): boolean =>
  isPublic || projectIds?.includes(projectId) === true

/** Of GPU flavors those that Nova lets members of a project start servers from. */
export const projectFlavors = (flavors: readonly Flavor[], projectId: string): Flavor[] =>
  flavors.filter((flavor) => !flavor.isDisabled && mayUse(flavor, projectId))

/** Limits on GPUs that servers of flavors need: `class:VGPU`, `class:CUSTOM_…`. */
export const limitNames = (fleet: Fleet, flavors: readonly Flavor[]): string[] => {
  const names = flavors.flatMap((flavor) => [...gpuAmountsIn(fleet, readFlavorRequest(flavor)).keys()])
  return [...new Set(names)].map((name) => `class:${name}`).toSorted(naturalOrder)
}
