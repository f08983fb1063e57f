import type { ScopeKind } from '@/lib/schemas/states'
import type { Keystone, Token } from '../keystone/types'
import type { OpenStackServiceName } from '../openstack-error'
import type { HttpMethod, RequestMeter, Transport, TransportAnswer } from '../transport/types'

export type SessionRequest = {
  service: Exclude<OpenStackServiceName, 'keystone'>
  method: HttpMethod
  /** Below the service's endpoint, with its query: `/resource_providers?in_tree=…`. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  acceptStatuses?: readonly number[]
  knownDigest?: string
  meter?: RequestMeter | undefined
}

/** An account that may call Nova and Placement: the console's service account, or a signed-in person. */
export type OpenStackSession = {
  cloud: string
  region: string | null
  /** Asks the service's endpoint with a project-scoped token. @throws OpenStackError */
  request: (request: SessionRequest) => Promise<TransportAnswer>
  /** Address of the service from the overrides or the catalog, without a trailing slash. */
  endpoint: (service: OpenStackServiceName) => Promise<string>
}

export type AccountScope = ScopeKind

export type ServiceAccount = OpenStackSession & {
  transport: Transport
  keystone: Keystone
  /** Keystone for people who sign in: separate connections and a separate rate, so that reads of the console do not delay them. */
  signInKeystone: Keystone
  /** A token with at least a few minutes left. System scope throws `auth` when the account has none. */
  token: (scope: AccountScope, meter?: RequestMeter) => Promise<Token>
  /** Whether the account can have a system-scoped token; an application credential never can. */
  hasSystemScope: (meter?: RequestMeter) => Promise<boolean>
  /**
   * Runs `work` with the token of a scope; once more with a fresh one after a 401, for a token may be revoked before it
   * expires.
   */
  withToken: <Result>(
    scope: AccountScope,
    work: (token: Token) => Promise<Result>,
    meter?: RequestMeter,
  ) => Promise<Result>
  /** Ids of the service and region of Nova's endpoint in the catalog, which oslo.limit uses. */
  novaEndpointIds: (meter?: RequestMeter) => Promise<{ serviceId: string; regionId: string | null } | null>
  close: () => Promise<void>
}
