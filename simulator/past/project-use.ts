import { groupBy } from '@/lib/domain/cloud/match-host'
import type { HostPast } from './types'

/** How many of class VGPU a project holds from `at` on. */
export type ProjectUse = { at: number; used: number }

/** Nova hands the VFs of vendor VFIO out as PCI devices, which no limit on vGPUs counts. */
export const isOfVgpuClass = ({ framework }: { framework: string }): boolean => framework !== 'vendor-vfio'

type UseRow = { at: number; uuid: string; projectId: string; count: number }

const rowsOf = ({ points, holdings }: HostPast): UseRow[] => {
  const counted = new Set(points.filter(isOfVgpuClass).map(({ address }) => address))
  return holdings.flatMap(({ at, uuid, projectId, addresses, typeIds }) => {
    if (projectId === null) return []
    const count = typeIds.filter((id, index) => id !== '' && counted.has(addresses[index] ?? '')).length
    return [{ at, uuid, projectId, count }]
  })
}

/** Each project's use of class VGPU as it changed, in the order of time; whole cards and VFs have other classes. */
export const projectUse = (hosts: readonly HostPast[]): Map<string, ProjectUse[]> => {
  const rows = hosts.flatMap(rowsOf).toSorted((a, b) => a.at - b.at)
  const held = new Map<string, number>()
  const uses = new Map<string, ProjectUse[]>()
  for (const [projectId, own] of groupBy(rows, (row) => row.projectId)) {
    const steps: ProjectUse[] = []
    let used = 0
    for (const [index, { at, uuid, count }] of own.entries()) {
      used += count - (held.get(uuid) ?? 0)
      held.set(uuid, count)
      if (own[index + 1]?.at !== at) steps.push({ at, used })
    }
    if (steps.some((use) => use.used > 0)) uses.set(projectId, steps)
  }
  return uses
}
