export type DomainRef = { id: string } | { name: string }
export type UserRef = { id: string } | { name: string; domain: DomainRef }
export type ProjectRef = { id: string } | { name: string; domain: DomainRef }

export type PasswordAuth = {
  kind: 'password'
  user: UserRef
  /** Secret. */
  password: string
  /** Null: the entry names only a system scope. */
  project: ProjectRef | null
  /** `system_scope: all` stands in the entry. */
  isSystemScoped: boolean
}

export type ApplicationCredentialAuth = {
  kind: 'application-credential'
  credential: { id: string } | { name: string; user: UserRef }
  /** Secret. */
  secret: string
}

export type EndpointInterface = 'public' | 'internal' | 'admin'

/** One region of one cloud as `clouds.yaml` or the `OS_…` variables name it. Holds secrets: never logged, never in a DTO. */
export type CloudConfig = {
  name: string
  /** Null: the entry names none; the catalogue must then have one endpoint per service. */
  region: string | null
  authUrl: string
  auth: PasswordAuth | ApplicationCredentialAuth
  interface: EndpointInterface
  verify: boolean
  /** Where the certificate authorities came from, and their PEM text; null: the system's. */
  caFile: string | null
  caPem: string | null
  endpointOverrides: { readonly nova?: string; readonly placement?: string; readonly keystone?: string }
  /** From the start of a request to the end of its answer. */
  timeoutMs: number
  requestsPerSecond: number
}
