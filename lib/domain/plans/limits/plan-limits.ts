import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ProjectLimit, RegisteredLimit } from '@/lib/domain/cloud/types'
import { PLAIN_CLASSES } from '@/lib/domain/fit/flavor-request'
import { areAliasesCounted } from '@/lib/domain/limits/alias-use'
import { ownLimits, type RequestedLimit } from '@/lib/domain/limits/effective-limit'
import { type LimitView, otherClasses, requestedClasses } from '@/lib/domain/limits/limit-view'
import { type ProjectUse, type QuotaTable, quotaTableInSteps } from '@/lib/domain/limits/quota-table'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { allSteps } from '@/lib/util/all-steps'
import { formatNoun } from '@/lib/util/format'
import type { PlanBase } from '../step'
import {
  createRegisteredStep,
  grantRoleStep,
  ownTitle,
  setOwnLimitsSteps,
  setRegisteredStep,
} from './limit-steps'
import type { Commitment, LimitChangePreview, LimitEffect, OverProject } from './preview'
import { type SortedWishes, sortWishes } from './sort-wishes'
import { NO_STRAYS, removeStraysStep, type StrayLimits, strayLimits } from './stray-limits'
import type { LimitScope, LimitStep, LimitTask, OwnLimitChange } from './tasks'

const registeredAfter = ({ view, sorted }: Pick<Input, 'view' | 'sorted'>): RegisteredLimit[] => {
  const { novaServiceId, novaRegionId } = view.limits
  const wanted = new Map(sorted.defaults.map((change) => [change.resourceName, change.wanted]))
  return [
    ...view.registered.map((row) =>
      row.regionId === novaRegionId
        ? { ...row, defaultLimit: wanted.get(row.resourceName) ?? row.defaultLimit }
        : row,
    ),
    ...sorted.created.map(({ resourceName, defaultLimit }) => ({
      id: `new ${resourceName}`,
      serviceId: novaServiceId ?? '',
      regionId: novaRegionId,
      resourceName,
      defaultLimit,
    })),
  ]
}

const projectAfter = ({ view, sorted }: Pick<Input, 'view' | 'sorted'>): ProjectLimit[] | null => {
  const { project, novaServiceId, novaRegionId } = view.limits
  if (project === null) return null
  const keyOf = (row: { projectId: string | null; resourceName: string }) =>
    `${row.projectId} ${row.resourceName}`
  const changed = new Set(sorted.own.map(keyOf))
  const isOurs = ({ serviceId, regionId }: ProjectLimit) =>
    serviceId === novaServiceId && regionId === novaRegionId
  return [
    ...project.filter((row) => !(isOurs(row) && changed.has(keyOf(row)))),
    ...sorted.own.flatMap(({ resourceName, projectId, wanted }) =>
      wanted === null
        ? []
        : [
            {
              id: `new ${projectId} ${resourceName}`,
              serviceId: novaServiceId ?? '',
              regionId: novaRegionId,
              projectId,
              domainId: null,
              resourceName,
              resourceLimit: wanted,
            },
          ],
    ),
  ]
}

/** The limits as they will be. */
const viewAfter = (input: Pick<Input, 'view' | 'sorted'>): LimitView => {
  const registered = registeredAfter(input)
  const { limits } = input.view
  const effective = registered.filter(({ regionId }) => regionId === limits.novaRegionId)
  return {
    ...input.view,
    limits: { ...limits, registered, project: projectAfter(input) },
    registered,
    effective: new Map(effective.map((row) => [row.resourceName, row])),
  }
}

const overIn = (rows: QuotaTable['rows']): OverProject[] =>
  rows.flatMap(({ resourceName, projectId, projectName, limit, used }) =>
    limit.kind === 'number' && used.value !== null && used.value > Math.max(0, limit.value)
      ? [{ resourceName, projectId, projectName, used: used.value, limit: limit.value }]
      : [],
  )

/**
 * Classes that Nova compares before it creates a server. For others, such as those of devices that flavors request by a
 * PCI alias alone, a project over its limit is not refused (bug 2140631).
 */
const comparedIn = (fleet: Fleet, { rows }: QuotaTable): QuotaTable['rows'] => {
  if (areAliasesCounted(fleet.input.facts.versions.nova) === true) return rows
  const requested = new Set([
    ...PLAIN_CLASSES,
    ...requestedClasses(fleet).keys(),
    ...otherClasses(fleet).keys(),
  ])
  return rows.filter(({ resourceName }) => requested.has(resourceName.replace(/^class:/, '')))
}

/** A project without any use known is one line, not one for each name. */
const unknownIn = (rows: QuotaTable['rows']): string[] => [
  ...new Set(
    rows
      .filter(
        ({ limit, used }) => limit.kind === 'unknown' || (limit.kind === 'number' && used.value === null),
      )
      .map(({ projectName }) => projectName),
  ),
]

const commitments = (before: QuotaTable, after: QuotaTable, touched: ReadonlySet<string>): Commitment[] =>
  after.classes
    .filter(({ resourceName, isGpu }) => isGpu && touched.has(resourceName))
    .map(({ resourceName, capacity, sum }) => ({
      resourceName,
      capacity: capacity?.value ?? null,
      before: before.classes.find((each) => each.resourceName === resourceName)?.sum ?? null,
      after: sum,
    }))

const effectsOf = (sorted: SortedWishes, uses: Input['uses']): LimitEffect[] => {
  const ofDefault = { projectId: null, projectName: null, used: null }
  return [
    ...sorted.created.map(({ resourceName, defaultLimit }) => ({
      resourceName,
      ...ofDefault,
      before: null,
      after: defaultLimit,
    })),
    ...sorted.defaults.map(({ resourceName, seen, wanted }) => ({
      resourceName,
      ...ofDefault,
      before: seen,
      after: wanted,
    })),
    ...sorted.own.map(({ resourceName, projectId, projectName, seen, wanted }) => {
      const usages = uses.get(projectId)?.usages ?? null
      const used = usages === null ? null : (usages[resourceName.replace(/^class:/, '')] ?? 0)
      const isCounted = resourceName.startsWith('class:')
      return {
        resourceName,
        projectId,
        projectName,
        before: seen,
        after: wanted,
        used: isCounted ? used : null,
      }
    }),
  ]
}

type Input = {
  view: LimitView
  sorted: SortedWishes
  uses: ReadonlyMap<string, ProjectUse>
  /** Nova begins to check limits, including those that exist already. */
  isSetUp: boolean
}

/**
 * What the change means: each limit before and after, which projects would be over it immediately, and its share of the
 * hardware.
 */
function* previewLimits(
  fleet: Fleet,
  input: Input,
): Generator<void, Pick<LimitChangePreview, 'region' | 'effects' | 'classes' | 'over' | 'dayOne'>> {
  const { view, sorted, uses, isSetUp } = input
  const effects = effectsOf(sorted, uses)
  const touched = new Set(effects.map(({ resourceName }) => resourceName))
  const before = yield* quotaTableInSteps(fleet, { view, uses, only: touched })
  const after = yield* quotaTableInSteps(fleet, {
    view: viewAfter(input),
    uses,
    only: isSetUp ? null : touched,
  })
  const compared = isSetUp ? comparedIn(fleet, after) : after.rows
  return {
    region: view.limits.novaRegionId,
    effects,
    classes: commitments(before, after, touched),
    over: overIn(compared),
    ...(isSetUp ? { dayOne: { unknown: unknownIn(compared) } } : {}),
  }
}

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

/** Every limit of a project on a default that changes: those that are to change as well, and those that stay. */
const overridesOf = (
  { resourceName, overrides }: SortedWishes['defaults'][number],
  own: readonly OwnLimitChange[],
): OwnLimitChange[] => {
  const changed = own.filter((change) => change.resourceName === resourceName)
  const ids = new Set(changed.map(({ projectId }) => projectId))
  return [...overrides.filter(({ projectId }) => !ids.has(projectId)), ...changed]
}

const stepsOf = (
  scope: LimitScope,
  { sorted, grant, strays }: { sorted: SortedWishes; grant: PlanLimitsInput['grant']; strays: StrayLimits },
): LimitStep[] => {
  const { created, defaults, own } = sorted
  const around = new Set(defaults.map(({ resourceName }) => resourceName))
  const rest = own.filter(({ resourceName }) => !around.has(resourceName))
  return [
    ...(grant === null ? [] : [grantRoleStep(grant)]),
    ...(created.length === 0 ? [] : [createRegisteredStep(scope, created)]),
    ...defaults.map((change) => setRegisteredStep(scope, { ...change, overrides: overridesOf(change, own) })),
    ...setOwnLimitsSteps(scope, rest),
    ...(strays.registered.length + strays.limits.length === 0
      ? []
      : [removeStraysStep(scope.serviceId, strays)]),
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
    ...(created.length === 0 ? [] : [`register ${formatNoun(created.length, 'limit')}`]),
    ...(defaults.length === 0 ? [] : [`change ${formatNoun(defaults.length, 'default')}`]),
    ...(own.length === 0 ? [] : [`set ${formatNoun(own.length, 'project limit')}`]),
    ...(strayCount === 0 ? [] : [`delete ${strayCount} without a region`]),
    ...(grant === null ? [] : [`allow ${grant.name} to read them`]),
  ]
  const text = parts.join(', ')
  return text === '' ? 'Change limits' : `Limits: ${text}`
}

const notesOf = ({ defaults }: SortedWishes): string[] => [
  'Nova reads the limits for each new server, so they apply at once. Existing servers are unaffected.',
  ...(defaults.some(({ overrides }) => overrides.length > 0)
    ? [
        'Keystone changes a default only while no project has its own limit on it. The step deletes these limits and recreates them. In between, their projects have the default. If the change stops there, continue or roll back: both recreate the limits.',
      ]
    : []),
]

export type LimitPlan = PlanBase<LimitTask> & { kind: 'limits'; limitChange: LimitChangePreview }

/** The plan for limits of projects and registered defaults, in the region of Nova's endpoint. */
export const planLimits = (fleet: Fleet, input: PlanLimitsInput): LimitPlan =>
  allSteps(limitsInSteps(fleet, input))

/** `planLimits` in steps: between two of them other work can run. */
export function* limitsInSteps(fleet: Fleet, input: PlanLimitsInput): Generator<void, LimitPlan> {
  const { view, wishes, uses, grant, configs } = input
  const { novaServiceId, novaRegionId } = view.limits
  const sorted = sortWishes({ fleet, view, own: ownLimits(view), wishes })
  const scope = { serviceId: novaServiceId ?? '', regionId: novaRegionId }
  const strays = input.removesStrays ? strayLimits(fleet, view) : NO_STRAYS
  yield
  const preview = yield* previewLimits(fleet, { view, sorted, uses, isSetUp: input.isSetUp })
  return {
    kind: 'limits',
    title: titleOf(sorted, { grant, strays }),
    steps: stepsOf(scope, { sorted, grant, strays }),
    targets: [],
    refusals: [],
    unchanged: [],
    flavors: [],
    limitChange: {
      ...preview,
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
