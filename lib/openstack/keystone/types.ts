import type { ProjectLimit, RegisteredLimit } from '@/lib/domain/cloud/types'
import type { DomainRef, ProjectRef, UserRef } from '../clouds/cloud-config'
import type { RequestMeter } from '../transport/types'

export type Identity =
  /** `passcode`: a one-time code (TOTP), if a rule of the user requires one in addition to the password. */
  | { method: 'password'; user: UserRef; password: string; passcode?: string }
  | { method: 'token'; tokenId: string }
  | {
      method: 'application_credential'
      credential: { id: string } | { name: string; user: UserRef }
      secret: string
    }

export type Scope =
  | { kind: 'project'; project: ProjectRef }
  | { kind: 'trust'; trustId: string }
  | { kind: 'domain'; domain: DomainRef }
  | { kind: 'system' }
  | { kind: 'unscoped' }

export type TokenScope =
  | { kind: 'project'; id: string; name: string; domainId: string; domainName: string }
  | { kind: 'domain'; id: string; name: string }
  | { kind: 'system' }
  | { kind: 'unscoped' }

type CatalogEndpoint = { id: string | null; interface: string; regionId: string | null; url: string }
export type CatalogEntry = {
  /** Null: Keystone's catalog comes from a template. */
  id: string | null
  type: string
  name: string | null
  endpoints: readonly CatalogEndpoint[]
}

export type Token = {
  /** Secret. */
  id: string
  /** ISO 8601 UTC, by Keystone's clock. */
  expiresAt: string
  issuedAt: string
  /** Until it expires, from when it was received, independent of this machine's clock. */
  remainingMs: number
  methods: readonly string[]
  user: { id: string; name: string; domainId: string; domainName: string }
  scope: TokenScope
  roles: readonly { id: string; name: string }[]
  /** Empty for unscoped tokens. */
  catalog: readonly CatalogEntry[]
}

export type KeystoneProject = {
  id: string
  name: string
  domainId: string
  isEnabled: boolean
  description: string | null
}
type KeystoneDomain = { id: string; name: string; isEnabled: boolean }
type KeystoneRegion = { id: string; parentId: string | null; description: string | null }
type KeystoneService = { id: string; type: string; name: string | null; isEnabled: boolean }
type KeystoneEndpoint = {
  id: string
  serviceId: string
  regionId: string | null
  interface: string
  url: string
  isEnabled: boolean
}

type KeystoneUser = { id: string; name: string; domainId: string }
type KeystoneRole = { id: string; name: string }
/** A role that a user has on a project or on the system. */
export type UserRole = { role: string; scope: { kind: 'system' } | { kind: 'project'; id: string } }

/** `incompleteBecause`: why items may be missing, in a sentence; null: the list was read to its end. */
export type KeystoneList<Item> = { items: readonly Item[]; incompleteBecause: string | null }

export type LimitFilter = { serviceId?: string; regionId?: string; resourceName?: string; projectId?: string }
export type NewRegisteredLimit = {
  serviceId: string
  regionId: string | null
  resourceName: string
  defaultLimit: number
}
export type NewLimit = {
  serviceId: string
  regionId: string | null
  projectId: string
  resourceName: string
  resourceLimit: number
}

/** The token that authorizes a request to Keystone. */
type Authorised = { tokenId: string; meter?: RequestMeter | undefined }

/**
 * Keystone v3. Every function throws OpenStackError; `auth` when credentials, token or scope are refused. Lists are read to
 * their end; one that Keystone cut is an `invalid-answer`, or has its reason in `incompleteBecause`.
 */
export type Keystone = {
  authenticate: (input: {
    identity: Identity
    scope: Scope
    meter?: RequestMeter | undefined
  }) => Promise<Token>
  /** Null: the token is no longer valid. */
  validate: (input: Authorised) => Promise<Token | null>
  /** A token that is already gone is no error. */
  revoke: (input: Authorised) => Promise<void>
  /** Projects that the token's user can scope to (GET /v3/auth/projects). */
  listProjects: (tokenId: string) => Promise<KeystoneProject[]>
  /** Domains that the token's user can scope to (GET /v3/auth/domains). */
  listDomains: (tokenId: string) => Promise<KeystoneDomain[]>
  hasSystemScope: (tokenId: string, meter?: RequestMeter) => Promise<boolean>
  /** Where the browser goes for WebSSO. `origin` must equal an entry of trusted_dashboard to the slash. */
  webSsoUrl: (input: {
    origin: string
    protocol: string
    identityProvider?: string | null
    /** Keystone's address for browsers; absent or null: `auth_url`. */
    keystoneUrl?: string | null
  }) => string
  /** Highest API version, such as `3.14`; needs no token. */
  version: (input?: { meter?: RequestMeter | undefined }) => Promise<string>
  /** Every project of the cloud; needs an admin or a system reader. */
  listAllProjects: (input: Authorised) => Promise<KeystoneList<KeystoneProject>>
  listRegions: (input: Authorised) => Promise<KeystoneRegion[]>
  listServices: (input: Authorised) => Promise<KeystoneService[]>
  listEndpoints: (input: Authorised) => Promise<KeystoneEndpoint[]>
  /** Users of that name, of every domain unless one is named by its id. */
  listUsers: (input: Authorised & { name: string; domainId?: string }) => Promise<KeystoneUser[]>
  /** Roles of that name; names are unique within a domain. */
  listRoles: (input: Authorised & { name: string }) => Promise<KeystoneRole[]>
  /** Roles that a user was given on the system, without those that they imply. An unknown user is a 404. */
  listSystemRoles: (input: Authorised & { userId: string }) => Promise<KeystoneRole[]>
  /**
   * All roles of a user on projects and on the system, also by groups and implied ones. Groups that an identity provider
   * reports only in the token are not included. Needs an admin or a system reader.
   */
  listUserRoles: (input: Authorised & { userId: string }) => Promise<UserRole[]>
  /** One that the user has already is fine. */
  grantSystemRole: (input: Authorised & { userId: string; roleId: string }) => Promise<void>
  /** One that the user does not have is a 404. */
  revokeSystemRole: (input: Authorised & { userId: string; roleId: string }) => Promise<void>
  limits: KeystoneLimits
}

/** Unified limits, with the traps of Keystone's API handled. */
export type KeystoneLimits = {
  /** `flat` or `strict_two_level`. */
  getModel: (input: Authorised) => Promise<string>
  listRegistered: (input: Authorised & LimitFilter) => Promise<KeystoneList<RegisteredLimit>>
  /** A project-scoped token sees only its own project's before Keystone 2026.1. */
  list: (input: Authorised & LimitFilter) => Promise<KeystoneList<ProjectLimit>>
  createRegistered: (
    input: Authorised & { limits: readonly NewRegisteredLimit[] },
  ) => Promise<RegisteredLimit[]>
  /** 403 while a project limit refers to it: then the overrides must go first. */
  updateRegistered: (input: Authorised & { id: string; defaultLimit: number }) => Promise<RegisteredLimit>
  removeRegistered: (input: Authorised & { id: string }) => Promise<void>
  /** All or nothing. */
  create: (input: Authorised & { limits: readonly NewLimit[] }) => Promise<ProjectLimit[]>
  /**
   * Sets a project limit and reads it back. A limit of 0 is deleted and recreated, because PATCH to 0 answers 200 and
   * changes nothing; the answer then has another id. `readTokenId`: a token that sees the limits of all projects, if the
   * writing one does not.
   */
  update: (
    input: Authorised & { id: string; resourceLimit: number; readTokenId?: string },
  ) => Promise<ProjectLimit>
  remove: (input: Authorised & { id: string }) => Promise<void>
}
