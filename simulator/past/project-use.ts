import { groupBy } from '@/lib/domain/cloud/match-host'
import type { HostPast } from './types'

/** How many vGPUs a project holds from `at` on. */
export type ProjectUse = { at: number; used: number }

/** Each project's use as it changed, in the order of time; whole cards are no vGPUs. */
export const projectUse = (hosts: readonly HostPast[]): Map<string, ProjectUse[]> => {
  const rows = hosts
    .flatMap(({ holdings }) => holdings)
    .flatMap(({ at, uuid, projectId, typeIds }) =>
      projectId === null ? [] : [{ at, uuid, projectId, count: typeIds.filter((id) => id !== '').length }],
    )
    .toSorted((a, b) => a.at - b.at)
  const held = new Map<string, number>()
  const uses = new Map<string, ProjectUse[]>()
  for (const [projectId, own] of groupBy(rows, (row) => row.projectId)) {
    const told: ProjectUse[] = []
    let used = 0
    for (const [place, { at, uuid, count }] of own.entries()) {
      used += count - (held.get(uuid) ?? 0)
      held.set(uuid, count)
      if (own[place + 1]?.at !== at) told.push({ at, used })
    }
    uses.set(projectId, told)
  }
  return uses
}
