/** What Keystone holds. Ids of users, projects and roles are 32 hex digits, as Keystone makes them. */
export type KeystoneState = {
  domains: Domain[]
  projects: Project[]
  users: User[]
  roles: Role[]
  assignments: Assignment[]
  regions: string[]
  services: Service[]
  endpoints: Endpoint[]
  registeredLimits: RegisteredLimit[]
  limits: Limit[]
  applicationCredentials: ApplicationCredential[]
  identityProviders: IdentityProvider[]
  /** By token id. */
  tokens: Map<string, IssuedToken>
  limitModel: 'flat' | 'strict_two_level'
  /** `[token] expiration`. */
  tokenLifetimeSeconds: number
  /** `[federation] trusted_dashboard`, compared to the letter. */
  trustedDashboards: string[]
  /** `[unified_limit] list_limit`; null for none. */
  listLimit: number | null
  /** `[DEFAULT] list_limit`; null for none. */
  defaultListLimit: number | null
  /** `[DEFAULT] max_db_limit`, from 2025.1 on. */
  maxDbLimit: number
}

export type Domain = { id: string; name: string; isEnabled: boolean }
export type Project = { id: string; name: string; domainId: string; isEnabled: boolean }
export type User = {
  id: string
  name: string
  domainId: string
  password: string
  isEnabled: boolean
  /** `multi_factor_auth_rules`: each a list of methods that together are enough; absent: the password is. */
  factorRules?: string[][]
  /** The one-time code that is right now; this cloud's codes stand still. */
  passcode?: string
}
export type Role = { id: string; name: string }

export type ScopeTarget =
  | { kind: 'project'; id: string }
  | { kind: 'domain'; id: string }
  | { kind: 'system' }

export type Assignment = { userId: string; roleId: string; target: ScopeTarget }

export type Service = { id: string; type: string; name: string }

export type Endpoint = {
  id: string
  serviceId: string
  interface: 'public' | 'internal' | 'admin'
  regionId: string | null
  url: string
}

export type RegisteredLimit = {
  id: string
  serviceId: string
  regionId: string | null
  resourceName: string
  defaultLimit: number
  description: string | null
}

export type Limit = {
  id: string
  serviceId: string
  regionId: string | null
  projectId: string | null
  domainId: string | null
  resourceName: string
  resourceLimit: number
  description: string | null
}

export type ApplicationCredential = {
  id: string
  name: string
  secret: string
  userId: string
  projectId: string
  roleIds: string[]
  isUnrestricted: boolean
  expiresAt: string | null
}

/** Where a person signs in by WebSSO; `userId` is the user that the simulated provider returns. */
export type IdentityProvider = { id: string; protocols: string[]; userId: string }

export type TokenScope = ScopeTarget | { kind: 'unscoped' }

export type IssuedToken = {
  id: string
  userId: string
  methods: string[]
  scope: TokenScope
  roleIds: string[]
  issuedAtMs: number
  expiresAtMs: number
  auditIds: string[]
  applicationCredentialId: string | null
  /** Who vouched for the user; null for Keystone itself. */
  federation: Federation | null
}

export type Federation = { providerId: string; protocol: string }
