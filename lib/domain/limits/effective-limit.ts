import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ProjectLimit } from '@/lib/domain/cloud/types'
import { isRequired, type LimitView } from './limit-view'

/** `projectId` null: the registered default. `value` null: the project's own limit goes, and the default holds. */
export type RequestedLimit = { resourceName: string; projectId: string | null; value: number | null }

/** The origin of a project's limit: its own limit, the registered default, or neither. */
type LimitOrigin = 'own' | 'default' | 'missing'

/** What Nova with unified limits holds a project to. */
export type EffectiveLimit =
  | { kind: 'number'; value: number; origin: LimitOrigin }
  | { kind: 'unlimited'; origin: LimitOrigin }
  | { kind: 'unknown'; because: string; origin: LimitOrigin }

/** Limits of single projects as Nova finds them, by project and resource name; null: the console may not see them. */
export type OwnLimits = ReadonlyMap<string, ReadonlyMap<string, ProjectLimit>> | null

/** Of Nova's service and the region of its endpoint exactly: Nova finds no others (oslo_limit/limit.py). */
export const ownLimits = ({ limits }: LimitView): OwnLimits => {
  if (limits.project === null) return null
  const found = new Map<string, Map<string, ProjectLimit>>()
  for (const row of limits.project) {
    if (row.projectId === null || row.serviceId !== limits.novaServiceId) continue
    if (row.regionId !== limits.novaRegionId) continue
    const ofProject = found.get(row.projectId) ?? new Map<string, ProjectLimit>()
    found.set(row.projectId, ofProject.set(row.resourceName, row))
  }
  return found
}

const NO_RELEASE = 'Nova’s release could not be read, and the meaning depends on it'

/** -1 is no limit in Nova 31 and newer, and below everything before (nova/limit/utils.py should_enforce). */
const ofValue = (view: LimitView, value: number, origin: LimitOrigin): EffectiveLimit => {
  if (value !== -1 || view.isUnlimitedKnown === false) return { kind: 'number', value, origin }
  return view.isUnlimitedKnown === null
    ? { kind: 'unknown', because: NO_RELEASE, origin }
    : { kind: 'unlimited', origin }
}

/** A name that is not registered in Nova's region: 0 up to 2024.2, later by `[quota] unified_limits_resource_*`. */
const missingLimit = (fleet: Fleet, view: LimitView, resourceName: string): EffectiveLimit => {
  const origin = 'missing'
  if (view.isUnlimitedKnown === null) return { kind: 'unknown', because: NO_RELEASE, origin }
  return view.isUnlimitedKnown && !isRequired(fleet, resourceName)
    ? { kind: 'unlimited', origin }
    : { kind: 'number', value: 0, origin }
}

/**
 * The limit of a project on a resource name such as `class:VGPU`; `projectId` null: of a project that has only the
 * default.
 */
export const effectiveLimit = (
  fleet: Fleet,
  view: LimitView,
  { own, projectId, resourceName }: { own: OwnLimits; projectId: string | null; resourceName: string },
): EffectiveLimit => {
  const registered = view.effective.get(resourceName)
  if (registered === undefined) return missingLimit(fleet, view, resourceName)
  if (projectId === null) return ofValue(view, registered.defaultLimit, 'default')
  if (own === null)
    return {
      kind: 'unknown',
      because:
        'the service account may not read the limits of other projects: the account needs the role reader on the system',
      origin: 'default',
    }
  const row = own.get(projectId)?.get(resourceName)
  return row === undefined
    ? ofValue(view, registered.defaultLimit, 'default')
    : ofValue(view, row.resourceLimit, 'own')
}
