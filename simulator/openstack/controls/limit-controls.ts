import { projectIdOf } from '../demo-cloud/accounts'
import type { Limit, RegisteredLimit } from '../keystone/keystone-state'
import { isSameKey } from '../keystone/limit-fields'
import type { LegacyQuotas } from '../nova/nova-state'
import { type Control, type ControlContext, ControlError, numberOf } from './control'

const LEGACY_NAMES: Readonly<Record<string, keyof LegacyQuotas>> = {
  servers: 'instances',
  'class:VCPU': 'cores',
  'class:MEMORY_MB': 'ram',
}

/** What projects may have, as quotas of Nova's own. */
const legacyFrom = (limits: readonly Limit[]): Map<string, Partial<LegacyQuotas>> => {
  const quotas = new Map<string, Partial<LegacyQuotas>>()
  for (const { projectId, resourceName, resourceLimit } of limits) {
    const name = LEGACY_NAMES[resourceName]
    if (projectId !== null && name !== undefined)
      quotas.set(projectId, { ...quotas.get(projectId), [name]: resourceLimit })
  }
  return quotas
}

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

  /** The driver of nova-api and nova-conductor. */
  const setQuotaDriver: Control = (args = {}) => {
    cloud.nova.quotaDriver = args.kind === 'legacy' ? 'legacy' : 'unified'
    return `Nova counts by the ${cloud.nova.quotaDriver} driver`
  }

  /** A cloud that has never used unified limits: legacy quotas, nothing in Keystone, no role for Nova's user. */
  const forgetLimits: Control = () => {
    const { keystone, nova } = cloud
    nova.legacyQuotas = legacyFrom(keystone.limits)
    Object.assign(keystone, { registeredLimits: [], limits: [], limitModel: 'flat' })
    const user = keystone.users.find(({ name }) => name === 'nova')
    keystone.assignments = keystone.assignments.filter(
      ({ userId, target }) => userId !== user?.id || target.kind !== 'system',
    )
    nova.quotaDriver = 'legacy'
    return 'Nova has legacy quotas, and Keystone no limits'
  }

  return { dropLimit, loseRegion, addNullRegion, setModel, setLimit, setQuotaDriver, forgetLimits }
}
