import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { aliasAmounts } from '@/lib/domain/limits/alias-classes'
import { areAliasesCounted } from '@/lib/domain/limits/alias-use'
import { effectiveLimit, type OwnLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { limitDeltas, usedOfName } from '@/lib/domain/limits/next-server'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'

/** A limit that prevents one more server. */
type ShortLimit = { resourceName: string; limit: number; used: number; needs: number }

/**
 * What a project's own limits allow for servers of one flavor. `more`: the number of further servers; null: no limit
 * applies.
 */
export type LimitHeadroom =
  | { state: 'available'; more: number | null }
  | { state: 'short'; short: ShortLimit[] }
  /** A limit or the use is not known. */
  | { state: 'unknown' }

/** With the PCI devices from the release on whose limits count them. */
const deltasOf = (fleet: Fleet, flavor: Flavor): Map<string, number> => {
  const deltas = limitDeltas(flavor)
  if (areAliasesCounted(fleet.input.facts.versions.nova) !== true) return deltas
  for (const [name, amount] of aliasAmounts(fleet, readFlavorRequest(flavor)))
    deltas.set(`class:${name}`, (deltas.get(`class:${name}`) ?? 0) + amount)
  return deltas
}

/**
 * How many more servers of a flavor fit into the limits of a project. The limit on servers counts if Nova reported the
 * number of servers.
 */
export const limitHeadroom = (
  fleet: Fleet,
  view: LimitView,
  input: { own: OwnLimits; projectId: string; use: ProjectUse; flavor: Flavor },
): LimitHeadroom => {
  const { own, projectId, use, flavor } = input
  const short: ShortLimit[] = []
  let more: number | null = null
  const deltas = deltasOf(fleet, flavor)
  for (const [resourceName, needs] of deltas) {
    const limit = effectiveLimit(fleet, view, { own, projectId, resourceName })
    if (limit.kind === 'unlimited') continue
    if (limit.kind === 'unknown' || use.usages === null) return { state: 'unknown' }
    const used = usedOfName(fleet, use, { resourceName, deltas })
    if (used === null) continue
    const headroom = Math.floor((limit.value - used) / needs)
    if (headroom < 1) short.push({ resourceName, limit: limit.value, used, needs })
    more = Math.min(more ?? headroom, headroom)
  }
  return short.length > 0 ? { state: 'short', short } : { state: 'available', more }
}
