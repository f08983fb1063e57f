import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { asksForGpu } from '@/lib/domain/fit/request-words'

/** Whether Nova shows a flavor to members of a project: public, or shared with it. What Nova has not told yet is not shown. */
const mayUse = ({ isPublic, projectIds }: Flavor, projectId: string): boolean =>
  isPublic || projectIds?.includes(projectId) === true

/** The ids of flavors for GPUs from which members of a project can start servers. */
export const projectFlavorIds = (flavors: readonly Flavor[], projectId: string): Set<string> =>
  new Set(
    flavors
      .filter((flavor) => !flavor.isDisabled && mayUse(flavor, projectId) && isForGpus(flavor))
      .map(({ id }) => id),
  )

export const isForGpus = (flavor: Flavor): boolean => asksForGpu(readFlavorRequest(flavor))
