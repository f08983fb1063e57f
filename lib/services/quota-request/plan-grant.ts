import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { type EffectiveLimit, effectiveLimit, ownLimits } from '@/lib/domain/limits/effective-limit'
import { limitTable } from '@/lib/domain/limits/limit-view'
import type { Plan } from '@/lib/domain/plans/types'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'

/** The input of a change that gives a project a limit; null: deletes the project's own limit. */
export const grantInput = (
  cloud: string,
  { projectId, resourceName }: { projectId: string; resourceName: string },
  value: number | null,
): PlanLimits => ({ cloud, kind: 'limits', limits: [{ resourceName, projectId, value }], setUp: null })

/** The project's own limit as the plan saw it; undefined: the plan does not write it. */
export const seenBy = (plan: Plan): number | null | undefined => {
  for (const { task } of plan.steps) if (task.kind === 'set-project-limits') return task.limits[0]?.seen
  return undefined
}

/** The limit that a project is held to; null: Keystone's limits were never read. */
export const limitNow = (
  fleet: Fleet,
  { projectId, resourceName }: { projectId: string; resourceName: string },
): EffectiveLimit | null => {
  const view = limitTable(fleet)
  return view === null ? null : effectiveLimit(fleet, view, { own: ownLimits(view), projectId, resourceName })
}
