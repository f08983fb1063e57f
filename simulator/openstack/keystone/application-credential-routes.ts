import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import {
  collectionLinks,
  type KeystoneCall,
  type KeystoneHandler,
  type KeystoneRoute,
  param,
  signedIn,
} from './keystone-handler'
import type { ApplicationCredential } from './keystone-state'

const body = (call: KeystoneCall, credential: ApplicationCredential): Record<string, unknown> => ({
  id: credential.id,
  name: credential.name,
  description: null,
  user_id: credential.userId,
  project_id: credential.projectId,
  roles: call.cloud.keystone.roles.filter(({ id }) => credential.roleIds.includes(id)),
  unrestricted: credential.isUnrestricted,
  expires_at: credential.expiresAt,
  system: null,
})

/** Only one's own. */
const ownerOf = (call: KeystoneCall, action: string): string => {
  const { userId } = signedIn(call)
  if (param(call, 'user') !== userId) {
    throw new ApiError(403, `You are not authorized to perform the requested action: identity:${action}.`)
  }
  return userId
}

const list: KeystoneHandler = (call) => {
  const userId = ownerOf(call, 'list_application_credentials')
  const own = call.cloud.keystone.applicationCredentials.filter((each) => each.userId === userId)
  return {
    status: 200,
    body: { application_credentials: own.map((each) => body(call, each)), links: collectionLinks(call) },
  }
}

const createSchema = z.object({
  application_credential: z.object({
    name: z.string().min(1).max(255),
    secret: z.string().optional(),
    expires_at: z.string().nullish(),
    roles: z.array(z.object({ name: z.string() })).optional(),
    unrestricted: z.boolean().optional(),
  }),
})

/** Of the project of the token, never of the system; the secret is shown this once. */
const create: KeystoneHandler = (call) => {
  const userId = ownerOf(call, 'create_application_credential')
  const caller = signedIn(call)
  const { scope } = caller
  if (scope.kind !== 'project' || caller.applicationCredentialId !== null) {
    throw new ApiError(
      403,
      'You are not authorized to perform the requested action: identity:create_application_credential.',
    )
  }
  const { keystone, newUuid } = call.cloud
  const input = parseBody(createSchema, call.request.body).application_credential
  if (keystone.applicationCredentials.some((each) => each.userId === userId && each.name === input.name)) {
    throw new ApiError(
      409,
      `Conflict occurred attempting to store application_credential - Duplicate entry found with name ${input.name}.`,
    )
  }
  const wanted = input.roles?.map(({ name }) => name)
  const held = keystone.roles.filter(({ id }) => caller.roleIds.includes(id))
  const roles = wanted === undefined ? held : held.filter(({ name }) => wanted.includes(name))
  const credential: ApplicationCredential = {
    id: newUuid().replaceAll('-', ''),
    name: input.name,
    secret: input.secret ?? randomBytes(48).toString('base64url'),
    userId,
    projectId: scope.id,
    roleIds: roles.map(({ id }) => id),
    isUnrestricted: input.unrestricted ?? false,
    expiresAt: input.expires_at ?? null,
  }
  keystone.applicationCredentials.push(credential)
  return {
    status: 201,
    body: { application_credential: { ...body(call, credential), secret: credential.secret } },
  }
}

const remove: KeystoneHandler = (call) => {
  const userId = ownerOf(call, 'delete_application_credential')
  const { keystone } = call.cloud
  const id = param(call, 'id')
  const found = keystone.applicationCredentials.find((each) => each.id === id && each.userId === userId)
  if (found === undefined) throw new ApiError(404, `Could not find Application Credential: ${id}.`)
  keystone.applicationCredentials = keystone.applicationCredentials.filter((each) => each !== found)
  for (const token of [...keystone.tokens.values()]) {
    if (token.applicationCredentialId === id) keystone.tokens.delete(token.id)
  }
  return { status: 204 }
}

const AT = '/v3/users/:user/application_credentials'

export const applicationCredentialRoutes: KeystoneRoute[] = [
  { method: 'GET', path: AT, handler: list },
  { method: 'POST', path: AT, handler: create },
  { method: 'DELETE', path: `${AT}/:id`, handler: remove },
]
