import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { missingProject } from '@/lib/domain/cloud/missing-project'
import type { OwnLimits, RequestedLimit } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import type { LimitChangePreview } from './preview'
import type { NewDefault, OwnLimitChange } from './tasks'

/** A registered default that changes, with the limits of single projects that refer to it. */
type DefaultChange = { resourceName: string; seen: number; wanted: number; overrides: OwnLimitChange[] }

export type SortedWishes = {
  created: NewDefault[]
  defaults: DefaultChange[]
  own: OwnLimitChange[]
  refusals: LimitChangePreview['refusals']
  unchanged: number
}

type Input = {
  fleet: Fleet
  view: LimitView
  own: OwnLimits
  /** Names that have a default, now or by the requests. */
  names: ReadonlySet<string>
}

const nameOf = (fleet: Fleet, projectId: string): string => fleet.projects.get(projectId)?.name ?? projectId

const MINUS_ONE = {
  false:
    '-1 means unlimited from 2025.1 on, but this release refuses every request with it: enter a high number',
  null: '-1 means unlimited from 2025.1 on, earlier releases refuse every request, and Nova’s release could not be read',
} as const

/** Why nothing can be written at all; null: it can. */
const wholeRefusal = ({ view, own }: Input): string | null => {
  if (view.limits.novaServiceId === null)
    return 'the service catalog has no endpoint of Nova, which limits refer to'
  return own === null
    ? 'the console cannot read the limits of other projects: assign the role reader on the system to its service account'
    : null
}

const refusalOf = (input: Input, { resourceName, projectId, value }: RequestedLimit): string | null => {
  const { fleet, view, names } = input
  const whole = wholeRefusal(input)
  if (whole !== null) return whole
  if (value === -1 && view.isUnlimitedKnown !== true) return MINUS_ONE[`${view.isUnlimitedKnown}`]
  if (projectId === null)
    return value === null ? 'a registered default cannot be removed: set it to a number' : null
  if (!fleet.projects.has(projectId)) return missingProject(fleet.input)
  return names.has(resourceName) || value === null
    ? null
    : `no default is registered for it in the region of Nova’s endpoint: register one first`
}

/** Limits of domains prevent a change of the default, and Nova ignores them. */
const domainRefusal = ({ view }: Input, resourceName: string): string | null => {
  const { novaServiceId, novaRegionId } = view.limits
  const isHeld = (view.limits.project ?? []).some(
    (row) =>
      row.projectId === null &&
      row.resourceName === resourceName &&
      row.serviceId === novaServiceId &&
      row.regionId === novaRegionId,
  )
  return isHeld
    ? 'a domain limit refers to this default, and Keystone changes it only without domain limits'
    : null
}

const overridesOf = ({ fleet, own }: Input, resourceName: string): OwnLimitChange[] =>
  [...(own ?? [])].flatMap(([projectId, rows]) => {
    const row = rows.get(resourceName)
    if (row === undefined) return []
    const seen = row.resourceLimit
    return [{ resourceName, projectId, projectName: nameOf(fleet, projectId), seen, wanted: seen }]
  })

/**
 * The result of the requests: what is registered, which defaults and project limits change, what is refused and what is
 * already set.
 */
export const sortWishes = ({
  wishes,
  ...facts
}: Omit<Input, 'names'> & { wishes: readonly RequestedLimit[] }): SortedWishes => {
  const { fleet, view, own } = facts
  const defaults = wishes.filter(({ projectId }) => projectId === null)
  const names = new Set([...view.effective.keys(), ...defaults.map(({ resourceName }) => resourceName)])
  const input: Input = { ...facts, names }
  const sorted: SortedWishes = { created: [], defaults: [], own: [], refusals: [], unchanged: 0 }
  const refuse = ({ resourceName, projectId }: RequestedLimit, reason: string) => {
    const projectName = projectId === null ? null : nameOf(fleet, projectId)
    sorted.refusals.push({ resourceName, projectName, reason })
  }
  const takeDefault = (requested: RequestedLimit, wanted: number) => {
    const { resourceName } = requested
    const seen = view.effective.get(resourceName)?.defaultLimit
    if (seen === undefined) sorted.created.push({ resourceName, defaultLimit: wanted })
    else if (seen === wanted) sorted.unchanged += 1
    else {
      const reason = domainRefusal(input, resourceName)
      if (reason !== null) refuse(requested, reason)
      else sorted.defaults.push({ resourceName, seen, wanted, overrides: overridesOf(input, resourceName) })
    }
  }
  const takeOwn = ({ resourceName, value }: RequestedLimit, projectId: string) => {
    const seen = own?.get(projectId)?.get(resourceName)?.resourceLimit ?? null
    if (seen === value) sorted.unchanged += 1
    else
      sorted.own.push({ resourceName, projectId, projectName: nameOf(fleet, projectId), seen, wanted: value })
  }
  for (const requested of wishes) {
    const reason = refusalOf(input, requested)
    if (reason !== null) refuse(requested, reason)
    else if (requested.projectId !== null) takeOwn(requested, requested.projectId)
    else if (requested.value !== null) takeDefault(requested, requested.value)
  }
  return sorted
}
