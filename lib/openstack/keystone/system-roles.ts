import * as z from 'zod'
import type { KeystoneCall } from './keystone-call'
import { listPages, wholeList } from './keystone-pages'
import type { Keystone } from './types'

export const usersSchema = z.object({
  users: z.array(z.object({ id: z.string(), name: z.string(), domain_id: z.string() })),
})
export const rolesSchema = z.object({ roles: z.array(z.object({ id: z.string(), name: z.string() })) })

const usersOf = ({ users }: z.output<typeof usersSchema>) => users
const rolesOf = ({ roles }: z.output<typeof rolesSchema>) => roles

const rolesPath = (userId: string, roleId?: string): string => {
  const path = `/system/users/${encodeURIComponent(userId)}/roles`
  return roleId === undefined ? path : `${path}/${encodeURIComponent(roleId)}`
}

type SystemRoles = Pick<
  Keystone,
  'listUsers' | 'listRoles' | 'listSystemRoles' | 'grantSystemRole' | 'revokeSystemRole'
>

/** The role assignments on the system. */
export const createSystemRoles = (call: KeystoneCall): SystemRoles => ({
  listUsers: async ({ name, domainId, ...rest }) => {
    const filters = { name, domain_id: domainId }
    const input = {
      ...rest,
      path: '/users',
      filters,
      what: 'users',
      schema: usersSchema,
      itemsOf: usersOf,
      isPaged: true,
    }
    const users = wholeList(call, await listPages(call, input))
    return users.map((user) => ({ id: user.id, name: user.name, domainId: user.domain_id }))
  },
  listRoles: async ({ name, ...rest }) => {
    const input = {
      ...rest,
      path: '/roles',
      filters: { name },
      what: 'roles',
      schema: rolesSchema,
      itemsOf: rolesOf,
    }
    return wholeList(call, await listPages(call, input))
  },
  listSystemRoles: async ({ userId, ...rest }) => {
    const input = {
      ...rest,
      path: rolesPath(userId),
      schema: rolesSchema,
      itemsOf: rolesOf,
      what: 'system roles',
    }
    return wholeList(call, await listPages(call, input))
  },
  grantSystemRole: async ({ tokenId, meter, userId, roleId }) => {
    await call.send({ method: 'PUT', path: rolesPath(userId, roleId), tokenId, meter })
  },
  revokeSystemRole: async ({ tokenId, meter, userId, roleId }) => {
    await call.send({ method: 'DELETE', path: rolesPath(userId, roleId), tokenId, meter })
  },
})
