import * as z from 'zod'
import { toQuery } from '../to-query'
import type { KeystoneCall } from './keystone-call'
import type { Keystone } from './types'

export const usersSchema = z.object({
  users: z.array(z.object({ id: z.string(), name: z.string(), domain_id: z.string() })),
})
export const rolesSchema = z.object({ roles: z.array(z.object({ id: z.string(), name: z.string() })) })

const rolesPath = (userId: string, roleId?: string): string => {
  const path = `/system/users/${encodeURIComponent(userId)}/roles`
  return roleId === undefined ? path : `${path}/${encodeURIComponent(roleId)}`
}

type SystemRoles = Pick<
  Keystone,
  'listUsers' | 'listRoles' | 'listSystemRoles' | 'grantSystemRole' | 'revokeSystemRole'
>

const toRoles = ({ roles }: z.infer<typeof rolesSchema>) => roles.map(({ id, name }) => ({ id, name }))

/** Who has which role on the system. */
export const createSystemRoles = (call: KeystoneCall): SystemRoles => ({
  listUsers: async ({ tokenId, meter, name, domainId }) => {
    const path = `/users${toQuery({ name, domain_id: domainId })}`
    const { users } = await call.read(usersSchema, { method: 'GET', path, tokenId, meter })
    return users.map((user) => ({ id: user.id, name: user.name, domainId: user.domain_id }))
  },
  listRoles: async ({ tokenId, meter }) =>
    toRoles(await call.read(rolesSchema, { method: 'GET', path: '/roles', tokenId, meter })),
  listSystemRoles: async ({ tokenId, meter, userId }) =>
    toRoles(await call.read(rolesSchema, { method: 'GET', path: rolesPath(userId), tokenId, meter })),
  grantSystemRole: async ({ tokenId, meter, userId, roleId }) => {
    await call.send({ method: 'PUT', path: rolesPath(userId, roleId), tokenId, meter })
  },
  revokeSystemRole: async ({ tokenId, meter, userId, roleId }) => {
    await call.send({ method: 'DELETE', path: rolesPath(userId, roleId), tokenId, meter })
  },
})
