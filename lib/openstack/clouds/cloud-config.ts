import type { OpenStackServiceName } from '../openstack-error'

export type DomainRef = { id: string } | { name: string }
export type UserRef = { id: string } | { name: string; domain: DomainRef }
export type ProjectRef = { id: string } | { name: string; domain: DomainRef }

export type PasswordAuth = {
  kind: 'password'
  user: UserRef
  /** Secret. */
  password: string
  /** Null: the entry names only a trust or a system scope. */
  project: ProjectRef | null
  /** The trust to scope to instead of a project; its project then counts. */
  trustId: string | null
  /** `system_scope: all` is set in the entry. */
  isSystemScoped: boolean
}

export type ApplicationCredentialAuth = {
  kind: 'application-credential'
  credential: { id: string } | { name: string; user: UserRef }
  /** Secret. */
  secret: string
}

export type EndpointInterface = 'public' | 'internal' | 'admin'

/** What `placement_interface`, `compute_region_name` and the like set for one service; absent: as for the cloud. */
export type ServiceSettings = {
  readonly interfaces?: readonly EndpointInterface[]
  readonly region?: string
  /** In the catalog. */
  readonly serviceType?: string
  readonly serviceName?: string
  readonly endpointOverride?: string
  /** Why the settings cannot be used; no request is sent to the service then. Only of an optional service. */
  readonly unusableBecause?: string
}

/** PEM texts; the certificate's file may hold the key as well. `keyPem` is secret. */
export type ClientCertificate = { readonly certPem: string; readonly keyPem: string }

/** One region of one cloud as `clouds.yaml` or the `OS_…` variables name it. Holds secrets: never logged, never in a DTO. */
export type CloudConfig = {
  name: string
  /** Null: the entry names none; the catalog must then have one endpoint per service. */
  region: string | null
  authUrl: string
  auth: PasswordAuth | ApplicationCredentialAuth
  /** The first of them that the catalog has is used. */
  interfaces: readonly EndpointInterface[]
  verify: boolean
  /** Where the certificate authorities came from, and their PEM text; null: the system's. */
  caFile: string | null
  caPem: string | null
  /** For services that require a client certificate; null: none is sent. */
  clientCertificate: ClientCertificate | null
  services: Readonly<Partial<Record<OpenStackServiceName, ServiceSettings>>>
  /** From the start of a request to the end of its answer. */
  timeoutMs: number
  requestsPerSecond: number
}
