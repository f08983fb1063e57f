import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { naturalOrder } from '@/lib/util/natural-order'

/** A project by its name; by its id if Keystone has not reported the name. */
export type NamedProject = { id: string; name: string }

/**
 * The projects that a private flavor is shared with, by name; null for a public one, and for one whose list Nova has not
 * reported yet (`isPublic` distinguishes them).
 */
export const whoMayUse = (fleet: Fleet, { isPublic, projectIds }: Flavor): NamedProject[] | null =>
  isPublic || projectIds === undefined || projectIds === null
    ? null
    : projectIds
        .map((id) => ({ id, name: fleet.projects.get(id)?.name ?? id }))
        .toSorted((a, b) => naturalOrder(a.name, b.name))
