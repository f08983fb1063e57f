import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { flavorOf } from './flavor-routes'
import { has, type NovaCall, type NovaHandler, type NovaRoute } from './nova-handler'
import type { Flavor } from './nova-state'

const accessBody = ({ id, projectIds }: Flavor): unknown => ({
  flavor_access: projectIds.map((tenant) => ({ flavor_id: id, tenant_id: tenant })),
})

const list: NovaHandler = (call) => {
  const flavor = flavorOf(call)
  if (flavor.isPublic) throw new ApiError(404, 'Access list not available for public flavors.')
  return { status: 200, body: accessBody(flavor) }
}

const actionSchema = z.union([
  z.strictObject({ addTenantAccess: z.strictObject({ tenant: z.string() }) }),
  z.strictObject({ removeTenantAccess: z.strictObject({ tenant: z.string() }) }),
])

/** Nova asks Keystone whether there is such a project. */
const checkProject = ({ cloud }: NovaCall, tenant: string): void => {
  if (cloud.keystone.projects.some(({ id }) => id === tenant)) return
  throw new ApiError(400, `Project ID ${tenant} is not a valid project.`)
}

const add = (call: NovaCall, flavor: Flavor, tenant: string): void => {
  if (flavor.isPublic && has(call, '2.7')) throw new ApiError(409, 'Can not add access to a public flavor.')
  if (flavor.projectIds.includes(tenant)) {
    throw new ApiError(
      409,
      `Flavor access already exists for flavor ${flavor.id} and project ${tenant} combination.`,
    )
  }
  flavor.projectIds = [...flavor.projectIds, tenant]
}

const remove = (flavor: Flavor, tenant: string): void => {
  if (!flavor.projectIds.includes(tenant)) {
    throw new ApiError(404, `Flavor access not found for ${flavor.id} / ${tenant} combination.`)
  }
  flavor.projectIds = flavor.projectIds.filter((id) => id !== tenant)
}

const act: NovaHandler = (call) => {
  const input = parseBody(actionSchema, call.request.body)
  if ('addTenantAccess' in input) checkProject(call, input.addTenantAccess.tenant)
  const flavor = flavorOf(call)
  if ('addTenantAccess' in input) add(call, flavor, input.addTenantAccess.tenant)
  else remove(flavor, input.removeTenantAccess.tenant)
  return { status: 200, body: accessBody(flavor) }
}

const POLICY = 'os_compute_api:os-flavor-access'

export const flavorAccessRoutes: NovaRoute[] = [
  { method: 'GET', path: '/flavors/:id/os-flavor-access', policy: POLICY, access: 'admin', handler: list },
  {
    method: 'POST',
    path: '/flavors/:id/action',
    policy: `${POLICY}:add_tenant_access`,
    access: 'admin',
    handler: act,
  },
]
