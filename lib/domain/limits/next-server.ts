import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { effectiveLimit, type OwnLimits } from './effective-limit'
import { countsPcpuAsVcpu, type LimitView } from './limit-view'
import type { ProjectUse } from './quota-table'
import { usedOfClass } from './used-of-class'

type OverLimit = { resourceName: string; limit: number; used: number; delta: number }

/**
 * What Nova with unified limits would say to one more server. `message` is Nova's own (oslo_limit/exception.py); `unchecked`
 * names what could not be compared.
 */
export type NextServer =
  | { state: 'fits'; unchecked: string[] }
  | { state: 'refused'; over: OverLimit[]; message: string; unchecked: string[] }
  | { state: 'unknown'; because: string; unchecked: string[] }

const SERVERS = 'servers'

/** The value of an unlimited name in Nova's message: a missing limit is 0 for oslo.limit. */
const UNENFORCED_VALUES = { own: -1, default: -1, missing: 0 } as const

/**
 * What one server of a flavor adds to each name that Nova limits. Amounts over all groups: Nova merges `resources:` and
 * `resourcesN:` (nova/limit/utils.py). PCI aliases are no part of it.
 */
export const limitDeltas = (flavor: Flavor): Map<string, number> => {
  const deltas = new Map<string, number>([[SERVERS, 1]])
  for (const { resources } of readFlavorRequest(flavor).groups)
    for (const [name, amount] of Object.entries(resources))
      deltas.set(`class:${name}`, (deltas.get(`class:${name}`) ?? 0) + amount)
  return deltas
}

const classOf = (resourceName: string): string => resourceName.slice('class:'.length)

/**
 * What a project uses of a name that Nova limits, for a server that adds `deltas`; null: not counted, which the number of servers
 * alone may be.
 */
export const usedOfName = (
  fleet: Fleet,
  { usages, servers }: Extract<ProjectUse, { because: null }>,
  { resourceName, deltas }: { resourceName: string; deltas: ReadonlyMap<string, number> },
): number | null =>
  resourceName === SERVERS
    ? (servers ?? null)
    : usedOfClass(usages, {
        name: classOf(resourceName),
        countsPcpu: countsPcpuAsVcpu(fleet),
        requested: [...deltas.keys()].map(classOf),
      })

/** By names as Python sorts them: oslo.limit checks in that order (oslo_limit/limit.py, _FlatEnforcer). */
const inNovaOrder = (a: OverLimit, b: OverLimit): number => (a.resourceName < b.resourceName ? -1 : 1)

const messageOf = (projectId: string, over: readonly OverLimit[]): string =>
  `Project ${projectId} is over a limit for [${over
    .toSorted(inNovaOrder)
    .map(
      ({ resourceName, limit, used, delta }) =>
        `Resource ${resourceName} is over limit of ${limit} due to current usage ${used} and delta ${delta}`,
    )
    .join(', ')}]`

/** Whether a project gets one more server of a flavor, as far as limits go. */
export const nextServer = (
  fleet: Fleet,
  view: LimitView,
  input: { own: OwnLimits; projectId: string; use: ProjectUse | undefined; flavor: Flavor },
): NextServer => {
  const { own, projectId, use, flavor } = input
  const over: OverLimit[] = []
  // Nova's message also names the limits that it does not enforce (nova/limit/utils.py should_enforce).
  const unenforced: OverLimit[] = []
  const unchecked: string[] = []
  const { model } = view.limits
  if (model !== 'flat')
    return {
      state: 'unknown',
      because: `Keystone enforces the limit model ${model}. With this model, Nova cannot check limits and creates no server`,
      unchecked,
    }
  if (use === undefined || use.usages === null)
    return { state: 'unknown', because: use?.because ?? 'Placement was not queried for it', unchecked }
  const deltas = limitDeltas(flavor)
  for (const [resourceName, delta] of deltas) {
    const limit = effectiveLimit(fleet, view, { own, projectId, resourceName })
    const used = usedOfName(fleet, use, { resourceName, deltas })
    if (used === null) {
      unchecked.push(resourceName)
      continue
    }
    if (limit.kind === 'unknown') return { state: 'unknown', because: limit.because, unchecked }
    const value = limit.kind === 'number' ? limit.value : UNENFORCED_VALUES[limit.origin]
    if (used + delta > value)
      (limit.kind === 'number' ? over : unenforced).push({ resourceName, limit: value, used, delta })
  }
  return over.length === 0
    ? { state: 'fits', unchecked }
    : { state: 'refused', over, message: messageOf(projectId, [...over, ...unenforced]), unchecked }
}
