import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { aliasAmounts } from '@/lib/domain/limits/alias-classes'
import { oncePer } from '@/lib/util/once-per'

/**
 * Whether Nova shows a flavor to members of a project: public, or shared with it. A flavor whose projects Nova has not
 * reported yet is not shown.
 */
const mayUse = ({ isPublic, projectIds }: Flavor, projectId: string): boolean =>
  isPublic || projectIds?.includes(projectId) === true

/** Of GPU flavors those that Nova lets members of a project start servers from. */
export const projectFlavors = (flavors: readonly Flavor[], projectId: string): Flavor[] =>
  flavors.filter((flavor) => !flavor.isDisabled && mayUse(flavor, projectId))

/** Resource classes such as `VGPU` that Placement counts the GPUs of a flavor under, also those of PCI devices by alias. */
export const gpuClassesOf = (fleet: Fleet, flavor: Flavor): readonly string[] => classesIn(fleet)(flavor)

/** Every answer to a tenant needs those of all flavors. */
const classesIn = oncePer((fleet: Fleet) =>
  oncePer((flavor: Flavor): readonly string[] => {
    const request = readFlavorRequest(flavor)
    return [...gpuAmountsIn(fleet, request).keys(), ...aliasAmounts(fleet, request).keys()]
  }),
)
