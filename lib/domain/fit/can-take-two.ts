import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { countHost, flavorQuestion, hasGpus } from './explain-fit'
import type { FlavorLike } from './flavor-request'
import { hostBlockers } from './host-blockers'
import { servingHosts } from './serving-hosts'

/**
 * Whether two servers of a flavor without aliases fit one after the other, and whether two fit if requested at once.
 * Stops at the first host that decides it. Null with a reason if a host in between could not be counted.
 */
export const canTakeTwo = (
  fleet: Fleet,
  flavor: FlavorLike,
): { oneByOne: boolean; atOnce: boolean; because: null } | { because: string } => {
  const question = flavorQuestion(flavor)
  let [fits, atOnce] = [0, 0]
  let because: string | null = null
  for (const joined of servingHosts(fleet, question.request, { isEmptied: false })) {
    if (!hasGpus(joined)) continue
    const host = countHost(fleet, joined, question, () => hostBlockers(fleet, joined, question).length === 0)
    because ??= host.atOnce.reason
    fits += host.fits.value ?? 0
    atOnce += host.atOnce.value ?? 0
    if (atOnce > 1) return { oneByOne: true, atOnce: true, because: null }
  }
  return because === null ? { oneByOne: fits > 1, atOnce: false, because } : { because }
}
