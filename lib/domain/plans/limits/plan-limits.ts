import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { ownLimits, type RequestedLimit } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { plural } from '@/lib/domain/wording'
import type { PlanBase } from '../step'
import {
  createRegisteredStep,
  grantRoleStep,
  ownTitle,
  setOwnLimitsStep,
  setRegisteredStep,
} from './limit-steps'
import type { LimitChangePreview } from './preview'
import { previewLimits } from './preview-limits'
import { type SortedWishes, sortWishes } from './sort-wishes'
import { NO_STRAYS, removeStraysStep, type StrayLimits, strayLimits } from './stray-limits'
import type { LimitPlace, LimitStep, LimitTask, OwnLimitChange } from './tasks'

export type PlanLimitsInput = {
  view: LimitView
  wishes: readonly RequestedLimit[]
  /** Placement's count by project. */
  uses: ReadonlyMap<string, ProjectUse>
  /** The user that gets the role reader on the system. */
  grant: { id: string; name: string } | null
  isSetUp: boolean
  /** Of the set-up alone. */
  configs: DeploymentConfig[]
  /** Rows without a region go. */
  removesStrays: boolean
}

const changesOf = (changes: readonly OwnLimitChange[], resourceName: string): OwnLimitChange[] =>
  changes.filter((change) => change.resourceName === resourceName)

/** Every limit of a project on a default that changes: those that are to change as well, and those that stay. */
const overridesOf = (
  { resourceName, overrides }: SortedWishes['defaults'][number],
  own: readonly OwnLimitChange[],
): OwnLimitChange[] => {
  const changed = changesOf(own, resourceName)
  const stays = overrides.filter(({ projectId }) => !changed.some((each) => each.projectId === projectId))
  return [...stays, ...changed]
}

const stepsOf = (
  place: LimitPlace,
  { sorted, grant, strays }: { sorted: SortedWishes; grant: PlanLimitsInput['grant']; strays: StrayLimits },
): LimitStep[] => {
  const { created, defaults, own } = sorted
  const around = new Set(defaults.map(({ resourceName }) => resourceName))
  const rest = own.filter(({ resourceName }) => !around.has(resourceName))
  return [
    ...(grant === null ? [] : [grantRoleStep(grant)]),
    ...(created.length === 0 ? [] : [createRegisteredStep(place, created)]),
    ...defaults.map((change) => setRegisteredStep(place, { ...change, overrides: overridesOf(change, own) })),
    ...(rest.length === 0 ? [] : [setOwnLimitsStep(place, rest)]),
    ...(strays.registered.length + strays.limits.length === 0
      ? []
      : [removeStraysStep(place.serviceId, strays)]),
  ]
}

const titleOf = (
  { created, defaults, own }: SortedWishes,
  { grant, strays }: { grant: PlanLimitsInput['grant']; strays: StrayLimits },
): string => {
  const strayCount = strays.registered.length + strays.limits.length
  const [only] = own
  if (only !== undefined && own.length === 1 && created.length + defaults.length + strayCount === 0)
    return ownTitle(own)
  const parts = [
    ...(created.length === 0 ? [] : [`register ${plural(created.length, 'limit', 'limits')}`]),
    ...(defaults.length === 0 ? [] : [`change ${plural(defaults.length, 'default', 'defaults')}`]),
    ...(own.length === 0 ? [] : [`write ${plural(own.length, 'limit of a project', 'limits of projects')}`]),
    ...(strayCount === 0 ? [] : [`delete ${strayCount} without a region`]),
    ...(grant === null ? [] : [`let ${grant.name} read them`]),
  ]
  const text = parts.join(', ')
  return text === '' ? 'Change limits' : `Limits: ${text}`
}

const notesOf = ({ defaults }: SortedWishes): string[] => [
  'Nova reads the limits for each new server, so they apply at once. Existing servers are unaffected.',
  ...(defaults.some(({ overrides }) => overrides.length > 0)
    ? [
        'Keystone changes a default only while no project has a limit of its own on it: those go and come back within the step, and for that moment their projects have the default. Should the change stop there, go on or roll back: both put them back.',
      ]
    : []),
]

export type LimitPlan = PlanBase<LimitTask> & { kind: 'limits'; limitChange: LimitChangePreview }

/** The plan for limits of projects and registered defaults, in the region of Nova's endpoint. */
export const planLimits = (fleet: Fleet, input: PlanLimitsInput): LimitPlan => {
  const { view, wishes, uses, grant, configs } = input
  const { novaServiceId, novaRegionId } = view.limits
  const sorted = sortWishes({ fleet, view, own: ownLimits(view), wishes })
  const place = { serviceId: novaServiceId ?? '', regionId: novaRegionId }
  const strays = input.removesStrays ? strayLimits(fleet, view) : NO_STRAYS
  return {
    kind: 'limits',
    title: titleOf(sorted, { grant, strays }),
    steps: stepsOf(place, { sorted, grant, strays }),
    targets: [],
    refusals: [],
    unchanged: [],
    flavors: [],
    limitChange: {
      ...previewLimits(fleet, { view, sorted, uses, isSetUp: input.isSetUp }),
      refusals: [...sorted.refusals, ...strays.refusals],
      strays: {
        registered: [...strays.registered],
        limits: strays.limits.map(({ projectId: _, ...limit }) => limit),
      },
      unchanged: sorted.unchanged,
      grant: grant?.name ?? null,
      notes: notesOf(sorted),
      configs,
    },
  }
}
