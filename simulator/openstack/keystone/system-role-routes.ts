import { ApiError } from '../http/api-error'
import {
  collectionLinks,
  isCloudAdmin,
  type KeystoneCall,
  type KeystoneHandler,
  type KeystoneRoute,
  needSystemReader,
  param,
  signedIn,
} from './keystone-handler'
import type { Assignment, Role, User } from './keystone-state'

const userOf = (call: KeystoneCall): User => {
  const id = param(call, 'user')
  const user = call.cloud.keystone.users.find((each) => each.id === id)
  if (user === undefined) throw new ApiError(404, `Could not find user: ${id}.`)
  return user
}

const roleOf = (call: KeystoneCall): Role => {
  const id = param(call, 'role')
  const role = call.cloud.keystone.roles.find((each) => each.id === id)
  if (role === undefined) throw new ApiError(404, `Could not find role: ${id}.`)
  return role
}

const onSystem = (call: KeystoneCall, user: User): Assignment[] =>
  call.cloud.keystone.assignments.filter(
    ({ userId, target }) => userId === user.id && target.kind === 'system',
  )

/** Roles that were given, without those that they imply. */
const list: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_system_grants_for_user')
  const given = onSystem(call, userOf(call)).map(({ roleId }) => roleId)
  const roles = call.cloud.keystone.roles.filter(({ id }) => given.includes(id))
  return { status: 200, body: { roles, links: collectionLinks(call) } }
}

const needAdmin = (call: KeystoneCall, action: string): void => {
  signedIn(call)
  if (!isCloudAdmin(call))
    throw new ApiError(403, `You are not authorized to perform the requested action: ${action}.`)
}

const grant: KeystoneHandler = (call) => {
  needAdmin(call, 'identity:create_system_grant_for_user')
  const [user, role] = [userOf(call), roleOf(call)]
  if (!onSystem(call, user).some(({ roleId }) => roleId === role.id))
    call.cloud.keystone.assignments.push({ userId: user.id, roleId: role.id, target: { kind: 'system' } })
  return { status: 204 }
}

const revoke: KeystoneHandler = (call) => {
  needAdmin(call, 'identity:revoke_system_grant_for_user')
  const [user, role] = [userOf(call), roleOf(call)]
  const held = onSystem(call, user).find(({ roleId }) => roleId === role.id)
  if (held === undefined) throw new ApiError(404, `Could not find role assignment with role: ${role.id}.`)
  const { keystone } = call.cloud
  keystone.assignments = keystone.assignments.filter((each) => each !== held)
  return { status: 204 }
}

const ROLES = '/v3/system/users/:user/roles'

export const systemRoleRoutes: KeystoneRoute[] = [
  { method: 'GET', path: ROLES, handler: list },
  { method: 'PUT', path: `${ROLES}/:role`, handler: grant },
  { method: 'DELETE', path: `${ROLES}/:role`, handler: revoke },
]
