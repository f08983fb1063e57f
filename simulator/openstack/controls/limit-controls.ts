import { projectIdOf } from '../demo-cloud/accounts'
import type { RegisteredLimit } from '../keystone/keystone-state'
import { isSameKey } from '../keystone/limit-fields'
import { type Control, type ControlContext, ControlError, numberOf } from './control'

/** What goes wrong with limits in Keystone. */
export const limitControls = (context: ControlContext) => {
  const { cloud } = context

  const registered = (resource = 'class:VGPU'): RegisteredLimit => {
    const found = cloud.keystone.registeredLimits.find(
      ({ resourceName, regionId }) => resourceName === resource && regionId === cloud.region,
    )
    if (found === undefined) throw new ControlError(`${resource} has no registered limit with a region.`)
    return found
  }

  const dropLimit: Control = (args = {}) => {
    const row = registered(args.resource)
    cloud.keystone.limits = cloud.keystone.limits.filter((limit) => !isSameKey(limit, row))
    cloud.keystone.registeredLimits = cloud.keystone.registeredLimits.filter((limit) => limit !== row)
    return `${row.resourceName} has no registered limit any more`
  }

  /** As `nova-manage limits migrate_to_unified_limits` leaves it without --region-id. */
  const loseRegion: Control = (args = {}) => {
    const row = registered(args.resource)
    for (const limit of cloud.keystone.limits) if (isSameKey(limit, row)) limit.regionId = null
    row.regionId = null
    return `the limits of ${row.resourceName} have no region`
  }

  const addNullRegion: Control = (args = {}) => {
    const row = registered(args.resource)
    const id = cloud.newUuid().replaceAll('-', '')
    const defaultLimit = numberOf(args.value, 16)
    cloud.keystone.registeredLimits.push({ ...row, id, regionId: null, defaultLimit })
    return `${row.resourceName} has a second registered limit without a region`
  }

  const setModel: Control = (args = {}) => {
    cloud.keystone.limitModel = args.kind === 'flat' ? 'flat' : 'strict_two_level'
    return `the limit model is ${cloud.keystone.limitModel}`
  }

  const setLimit: Control = (args = {}) => {
    const row = registered(args.resource)
    const projectId = projectIdOf(args.project ?? 'cfd-lab')
    const present = cloud.keystone.limits.find(
      (limit) => limit.projectId === projectId && isSameKey(limit, row),
    )
    const resourceLimit = numberOf(args.value, -1)
    if (present !== undefined) present.resourceLimit = resourceLimit
    else {
      const { serviceId, regionId, resourceName } = row
      const id = cloud.newUuid().replaceAll('-', '')
      cloud.keystone.limits.push({
        id,
        serviceId,
        regionId,
        resourceName,
        projectId,
        domainId: null,
        resourceLimit,
        description: null,
      })
    }
    return `${row.resourceName} of project ${args.project ?? 'cfd-lab'} is ${resourceLimit}`
  }

  return { dropLimit, loseRegion, addNullRegion, setModel, setLimit }
}
