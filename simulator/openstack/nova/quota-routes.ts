import type { KeystoneState } from '../keystone/keystone-state'
import { forbid, isAdmin, type NovaCall, type NovaHandler, type NovaRoute, param } from './nova-handler'

/** Nova's names and what they are called in Keystone; VGPU is never among them (nova/quota.py). */
const UNIFIED: Record<string, string> = {
  instances: 'servers',
  cores: 'class:VCPU',
  ram: 'class:MEMORY_MB',
}

const LOCAL: Record<string, number> = {
  key_pairs: 100,
  metadata_items: 128,
  server_groups: 10,
  server_group_members: 10,
}

/** oslo.limit asks with the region of Nova's endpoint: rows without a region are not found, and nothing is 0. */
const limitOf = (keystone: KeystoneState, region: string, name: string, projectId: string): number => {
  const isOf = (row: { resourceName: string; regionId: string | null }): boolean =>
    row.resourceName === name && row.regionId === region
  const registered = keystone.registeredLimits.find(isOf)
  const own = keystone.limits.find((row) => isOf(row) && row.projectId === projectId)
  return own?.resourceLimit ?? registered?.defaultLimit ?? 0
}

const quotaBody = ({ cloud }: NovaCall, projectId: string): Record<string, unknown> => ({
  id: projectId,
  ...LOCAL,
  ...Object.fromEntries(
    Object.entries(UNIFIED).map(([name, inKeystone]) => [
      name,
      limitOf(cloud.keystone, cloud.region, inKeystone, projectId),
    ]),
  ),
})

const show: NovaHandler = (call) => {
  const project = param(call, 'project')
  if (!isAdmin(call) && project !== call.projectId) forbid('os_compute_api:os-quota-sets:show')
  return { status: 200, body: { quota_set: quotaBody(call, project) } }
}

/** With the unified limits driver a change is taken with 200 and has no effect. */
const update: NovaHandler = (call) => {
  const { id: _, ...body } = quotaBody(call, param(call, 'project'))
  return { status: 200, body: { quota_set: body } }
}

const AT = '/os-quota-sets/:project'
const POLICY = 'os_compute_api:os-quota-sets'

export const quotaRoutes: NovaRoute[] = [
  { method: 'GET', path: AT, policy: `${POLICY}:show`, access: 'reader', handler: show },
  { method: 'PUT', path: AT, policy: `${POLICY}:update`, access: 'admin', handler: update },
]
