import type { Cloud } from '../cloud'
import { requestOfFlavor } from '../compute/flavor-request'
import { ApiError } from '../http/api-error'
import { effectiveLimit } from './effective-limit'
import type { ServerFlavor } from './nova-state'

/** `[quota] unified_limits_resource_list`, as by default: what counts as 0 without a registered limit (Nova 31 and newer). */
const REQUIRED = ['servers']

/** The limit that is enforced; null: none is. */
const enforced = (cloud: Cloud, resourceName: string, projectId: string): number | null => {
  const found = effectiveLimit(cloud, resourceName, projectId)
  if (!cloud.release.knowsUnlimited) return found ?? 0
  if (found === null) return REQUIRED.includes(resourceName) ? 0 : null
  return found === -1 ? null : found
}

/** As Placement counts: over all consumers of the project, migrations too. */
const usageOf = ({ placement, nova }: Cloud, resourceName: string, projectId: string): number => {
  if (resourceName === 'servers')
    return [...nova.servers.values()].filter((server) => server.projectId === projectId).length
  const name = resourceName.slice('class:'.length)
  let sum = 0
  for (const consumer of placement.consumers.values())
    if (consumer.projectId === projectId)
      for (const resources of consumer.allocations.values()) sum += resources.get(name) ?? 0
  return sum
}

const deltasOf = (flavor: ServerFlavor): Map<string, number> => {
  const deltas = new Map([['servers', 1]])
  for (const { resources } of requestOfFlavor(flavor, null).groups)
    for (const [name, amount] of resources)
      deltas.set(`class:${name}`, (deltas.get(`class:${name}`) ?? 0) + amount)
  return deltas
}

/**
 * Refuses a server that would bring its project over a limit, in the words of oslo.limit. The legacy driver knows no GPUs, and
 * its other quotas are no part of this cloud. Source: nova/limit/placement.py, oslo_limit/exception.py.
 */
export const enforceLimits = (
  cloud: Cloud,
  { projectId, flavor }: { projectId: string; flavor: ServerFlavor },
): void => {
  if (cloud.nova.quotaDriver === 'legacy') return
  // oslo.limit calls its only model "flat"; another one is a ValueError.
  if (cloud.keystone.limitModel !== 'flat')
    throw new ApiError(500, 'Unexpected API Error. Please report this at http://bugs.launchpad.net/nova/')
  // In the order of the names, as oslo_limit/limit.py checks them.
  const deltas = [...deltasOf(flavor)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const over = deltas.flatMap(([name, delta]) => {
    const limit = enforced(cloud, name, projectId)
    const usage = usageOf(cloud, name, projectId)
    return limit === null || usage + delta <= limit
      ? []
      : [`Resource ${name} is over limit of ${limit} due to current usage ${usage} and delta ${delta}`]
  })
  if (over.length > 0)
    throw new ApiError(403, `Project ${projectId} is over a limit for [${over.join(', ')}]`)
}
