import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { ownLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { naturalOrder } from '@/lib/util/natural-order'

/** Ids of the enabled projects, those with servers on GPU hosts or with their own limits first. */
export const projectOrder = (fleet: Fleet, view: LimitView): string[] => {
  const withServers = new Set([...fleet.servers.values()].map(({ projectId }) => projectId))
  const withLimits = ownLimits(view)
  const rank = (id: string): number =>
    withServers.has(id) ? 0 : withLimits === null || withLimits.has(id) ? 1 : 2
  return [...fleet.projects.values()]
    .filter(({ isEnabled }) => isEnabled)
    .toSorted((a, b) => rank(a.id) - rank(b.id) || naturalOrder(a.name, b.name))
    .map(({ id }) => id)
}
