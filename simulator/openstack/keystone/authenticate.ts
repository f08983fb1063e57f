import { z } from 'zod'
import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import type { IssuedToken, KeystoneState, Project, TokenScope, User } from './keystone-state'
import { issueToken, UNAUTHORIZED, validToken } from './tokens'

const domainSchema = z.union([z.object({ id: z.string() }), z.object({ name: z.string() })])

const userSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  domain: domainSchema.optional(),
})

const scopeSchema = z.union([
  z.object({
    project: z.object({
      id: z.string().optional(),
      name: z.string().optional(),
      domain: domainSchema.optional(),
    }),
  }),
  z.object({ domain: domainSchema }),
  z.object({ system: z.object({ all: z.literal(true) }) }),
  z.literal('unscoped'),
])

const authSchema = z.object({
  auth: z.object({
    identity: z.object({
      methods: z.array(z.string()),
      password: z.object({ user: userSchema.extend({ password: z.string() }) }).optional(),
      totp: z.object({ user: userSchema.extend({ passcode: z.string() }) }).optional(),
      token: z.object({ id: z.string() }).optional(),
      application_credential: z
        .object({
          id: z.string().optional(),
          name: z.string().optional(),
          secret: z.string(),
          user: userSchema.optional(),
        })
        .optional(),
    }),
    scope: scopeSchema.optional(),
  }),
})

type AuthBody = z.infer<typeof authSchema>['auth']

/** The credentials are right and not sufficient: Keystone issues a receipt (keystone/api/auth.py). */
export class MoreFactorsWanted extends Error {
  readonly user: User
  readonly methods: readonly string[]

  constructor(user: User, methods: readonly string[]) {
    super('Keystone wants another factor')
    this.user = user
    this.methods = methods
  }
}

const refuse = (): never => {
  throw new ApiError(401, UNAUTHORIZED)
}

const domainIdOf = (state: KeystoneState, input: z.infer<typeof domainSchema> | undefined): string | null => {
  if (input === undefined) return null
  if ('id' in input) return input.id
  return state.domains.find((domain) => domain.name === input.name)?.id ?? null
}

const findUser = (state: KeystoneState, input: z.infer<typeof userSchema>): User | undefined => {
  if (input.id !== undefined) return state.users.find((user) => user.id === input.id)
  const domainId = domainIdOf(state, input.domain)
  // Keystone's names are compared without case by its usual databases.
  const name = input.name?.toLowerCase()
  return state.users.find((user) => user.domainId === domainId && user.name.toLowerCase() === name)
}

const findProject = (
  state: KeystoneState,
  input: {
    id?: string | undefined
    name?: string | undefined
    domain?: z.infer<typeof domainSchema> | undefined
  },
): Project | undefined => {
  if (input.id !== undefined) return state.projects.find((project) => project.id === input.id)
  const domainId = domainIdOf(state, input.domain)
  return state.projects.find((project) => project.domainId === domainId && project.name === input.name)
}

const scopeOf = (state: KeystoneState, input: AuthBody['scope']): TokenScope => {
  if (input === undefined || input === 'unscoped') return { kind: 'unscoped' }
  if ('system' in input) return { kind: 'system' }
  if ('domain' in input) {
    const id = domainIdOf(state, input.domain)
    return id === null ? refuse() : { kind: 'domain', id }
  }
  const project = findProject(state, input.project)
  return project?.isEnabled === true ? { kind: 'project', id: project.id } : refuse()
}

const byPassword = (cloud: Cloud, { identity, scope }: AuthBody): IssuedToken => {
  const input = identity.password?.user
  const user = input === undefined ? undefined : findUser(cloud.keystone, input)
  if (user === undefined || !user.isEnabled || user.password !== input?.password) return refuse()
  const methods = ['password']
  if (identity.methods.includes('totp')) {
    if (user.passcode === undefined || identity.totp?.user.passcode !== user.passcode) return refuse()
    methods.push('totp')
  }
  const rules = user.factorRules ?? []
  if (rules.length > 0 && !rules.some((rule) => rule.every((method) => methods.includes(method))))
    throw new MoreFactorsWanted(user, methods)
  return issueToken(cloud, { userId: user.id, methods, scope: scopeOf(cloud.keystone, scope) })
}

const byToken = (cloud: Cloud, { identity, scope }: AuthBody): IssuedToken => {
  const from = validToken(cloud, identity.token?.id ?? null)
  if (from === null) return refuse()
  if (from.applicationCredentialId !== null) {
    throw new ApiError(
      403,
      'You are not authorized to perform the requested action: rescope a token of an application credential.',
    )
  }
  return issueToken(cloud, {
    userId: from.userId,
    methods: [...new Set(['token', ...from.methods])],
    scope: scopeOf(cloud.keystone, scope),
    from,
  })
}

const byApplicationCredential = (cloud: Cloud, { identity, scope }: AuthBody): IssuedToken => {
  if (scope !== undefined) throw new ApiError(401, 'Application credentials cannot request a scope.')
  const { keystone } = cloud
  const input = identity.application_credential
  const owner = input?.user === undefined ? undefined : findUser(keystone, input.user)
  const found = keystone.applicationCredentials.find((each) =>
    input?.id === undefined ? each.name === input?.name && each.userId === owner?.id : each.id === input.id,
  )
  if (found === undefined || found.secret !== input?.secret) return refuse()
  if (found.expiresAt !== null && Date.parse(found.expiresAt) <= cloud.now().getTime()) return refuse()
  return issueToken(cloud, {
    userId: found.userId,
    methods: ['application_credential'],
    scope: { kind: 'project', id: found.projectId },
    roleIds: found.roleIds,
    applicationCredentialId: found.id,
  })
}

/** `POST /v3/auth/tokens` by password, token or application credential. */
export const authenticate = (cloud: Cloud, body: unknown): IssuedToken => {
  const { auth } = parseBody(authSchema, body)
  const [method] = auth.identity.methods
  if (method === 'password' && auth.identity.password !== undefined) return byPassword(cloud, auth)
  if (method === 'token' && auth.identity.token !== undefined) return byToken(cloud, auth)
  if (method === 'application_credential' && auth.identity.application_credential !== undefined) {
    return byApplicationCredential(cloud, auth)
  }
  throw new ApiError(400, `Attempted to authenticate with an unsupported method: ${method ?? 'none'}.`)
}
