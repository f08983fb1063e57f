import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { ownLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { naturalRanks } from '@/lib/util/natural-order'

/** Ids of the enabled projects, those with servers on GPU hosts or with their own limits first. */
export const projectOrder = (fleet: Fleet, view: LimitView): string[] => {
  const withServers = new Set([...fleet.servers.values()].map(({ projectId }) => projectId))
  const withLimits = ownLimits(view)
  const rank = (id: string): number =>
    withServers.has(id) ? 0 : withLimits === null || withLimits.has(id) ? 1 : 2
  const projects = [...fleet.projects.values()].filter(({ isEnabled }) => isEnabled)
  const byName = naturalRanks(projects.map(({ name }) => name))
  return projects
    .map(({ id }, index) => ({ id, rank: rank(id), name: byName[index] ?? 0 }))
    .toSorted((a, b) => a.rank - b.rank || a.name - b.name)
    .map(({ id }) => id)
}
