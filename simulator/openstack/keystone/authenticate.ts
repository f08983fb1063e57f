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

const domainIdOf = (state: KeystoneState, wish: z.infer<typeof domainSchema> | undefined): string | null => {
  if (wish === undefined) return null
  if ('id' in wish) return wish.id
  return state.domains.find((domain) => domain.name === wish.name)?.id ?? null
}

const findUser = (state: KeystoneState, wish: z.infer<typeof userSchema>): User | undefined => {
  if (wish.id !== undefined) return state.users.find((user) => user.id === wish.id)
  const domainId = domainIdOf(state, wish.domain)
  // Keystone's names are compared without case by its usual databases.
  const name = wish.name?.toLowerCase()
  return state.users.find((user) => user.domainId === domainId && user.name.toLowerCase() === name)
}

const findProject = (
  state: KeystoneState,
  wish: {
    id?: string | undefined
    name?: string | undefined
    domain?: z.infer<typeof domainSchema> | undefined
  },
): Project | undefined => {
  if (wish.id !== undefined) return state.projects.find((project) => project.id === wish.id)
  const domainId = domainIdOf(state, wish.domain)
  return state.projects.find((project) => project.domainId === domainId && project.name === wish.name)
}

const scopeOf = (state: KeystoneState, wish: AuthBody['scope']): TokenScope => {
  if (wish === undefined || wish === 'unscoped') return { kind: 'unscoped' }
  if ('system' in wish) return { kind: 'system' }
  if ('domain' in wish) {
    const id = domainIdOf(state, wish.domain)
    return id === null ? refuse() : { kind: 'domain', id }
  }
  const project = findProject(state, wish.project)
  return project?.isEnabled === true ? { kind: 'project', id: project.id } : refuse()
}

const byPassword = (cloud: Cloud, { identity, scope }: AuthBody): IssuedToken => {
  const wish = identity.password?.user
  const user = wish === undefined ? undefined : findUser(cloud.keystone, wish)
  if (user === undefined || !user.isEnabled || user.password !== wish?.password) return refuse()
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
  const wish = identity.application_credential
  const owner = wish?.user === undefined ? undefined : findUser(keystone, wish.user)
  const found = keystone.applicationCredentials.find((each) =>
    wish?.id === undefined ? each.name === wish?.name && each.userId === owner?.id : each.id === wish.id,
  )
  if (found === undefined || found.secret !== wish?.secret) return refuse()
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
