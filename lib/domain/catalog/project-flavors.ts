import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuAmounts, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { asksForGpu } from '@/lib/domain/fit/request-words'
import { naturalOrder } from '@/lib/util/natural-order'

/** Whether Nova shows a flavor to members of a project: public, or shared with it. What Nova has not told yet is not shown. */
const mayUse = ({ isPublic, projectIds }: Flavor, projectId: string): boolean =>
  isPublic || projectIds?.includes(projectId) === true

/** The flavors for GPUs that Nova lets members of a project start servers from. */
export const projectFlavors = (flavors: readonly Flavor[], projectId: string): Flavor[] =>
  flavors.filter((flavor) => !flavor.isDisabled && mayUse(flavor, projectId) && isForGpus(flavor))

/** Limits on GPUs that servers of flavors need: `class:VGPU`, `class:CUSTOM_…`. */
export const limitNames = (flavors: readonly Flavor[]): string[] => {
  const names = flavors.flatMap((flavor) => [...gpuAmounts(readFlavorRequest(flavor)).keys()])
  return [...new Set(names)].map((name) => `class:${name}`).toSorted(naturalOrder)
}

const isForGpus = (flavor: Flavor): boolean => asksForGpu(readFlavorRequest(flavor))
