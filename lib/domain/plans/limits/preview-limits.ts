import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ProjectLimit, RegisteredLimit } from '@/lib/domain/cloud/types'
import { PLAIN_CLASSES } from '@/lib/domain/fit/flavor-request'
import { areAliasesCounted } from '@/lib/domain/limits/alias-use'
import { askedClasses, type LimitView, otherClasses } from '@/lib/domain/limits/limit-view'
import { type ProjectUse, type QuotaTable, quotaTable } from '@/lib/domain/limits/quota-table'
import type { Commitment, LimitChangePreview, LimitEffect, OverProject } from './preview'
import type { SortedWishes } from './sort-wishes'

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
  const asked = new Set([...PLAIN_CLASSES, ...askedClasses(fleet).keys(), ...otherClasses(fleet).keys()])
  return rows.filter(({ resourceName }) => asked.has(resourceName.replace(/^class:/, '')))
}

/** A project without any use known is one line, not one for each name. */
const untoldIn = (rows: QuotaTable['rows']): string[] => [
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
export const previewLimits = (
  fleet: Fleet,
  input: Input,
): Pick<LimitChangePreview, 'region' | 'effects' | 'classes' | 'over' | 'dayOne'> => {
  const { view, sorted, uses, isSetUp } = input
  const effects = effectsOf(sorted, uses)
  const touched = new Set(effects.map(({ resourceName }) => resourceName))
  const before = quotaTable(fleet, { view, uses, only: touched })
  const after = quotaTable(fleet, { view: viewAfter(input), uses, only: isSetUp ? null : touched })
  const compared = isSetUp ? comparedIn(fleet, after) : after.rows
  return {
    region: view.limits.novaRegionId,
    effects,
    classes: commitments(before, after, touched),
    over: overIn(compared),
    ...(isSetUp ? { dayOne: { untold: untoldIn(compared) } } : {}),
  }
}
