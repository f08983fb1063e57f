import type { CloudConfig } from '../clouds/cloud-config'
import { createKeystone } from '../keystone/create-keystone'
import type { Keystone, Token } from '../keystone/types'
import { OpenStackError, type OpenStackServiceName } from '../openstack-error'
import { createTransport } from '../transport/create-transport'
import type { RequestMeter, Transport } from '../transport/types'
import { toIdentity, toScope } from './account-auth'
import { findEndpoint, listServiceUrls, toBaseUrl } from './find-endpoint'
import type { AccountScope, ServiceAccount } from './types'

type TokenKeeper = {
  /**
   * The stored token, or a new one if it is missing or about to expire. One request at a time, on the meter of the first
   * caller.
   */
  get: (meter?: RequestMeter) => Promise<Token>
  /** Forgets this token, unless another has taken its place. */
  drop: (token: Token) => void
}

/** Renewed when less than this is left, or less than a fifth of a token that lives shorter. */
const RENEW_BEFORE_MS = 5 * 60 * 1000

type CreateTokenKeeperInput = {
  authenticate: (meter: RequestMeter | undefined) => Promise<Token>
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs?: () => number
}

/** Holds one token. Its age is measured here, by its own lifetime, so Keystone's clock may differ from ours. */
const createTokenKeeper = ({
  authenticate,
  monotonicMs = () => performance.now(),
}: CreateTokenKeeperInput): TokenKeeper => {
  let held: { token: Token; renewAtMs: number } | null = null
  let pending: Promise<Token> | null = null

  const renew = async (meter: RequestMeter | undefined): Promise<Token> => {
    const startMs = monotonicMs()
    const token = await authenticate(meter)
    const lifeMs = token.remainingMs
    held = { token, renewAtMs: startMs + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 5) }
    return token
  }
  return {
    get: (meter) => {
      if (held !== null && monotonicMs() < held.renewAtMs) return Promise.resolve(held.token)
      pending ??= renew(meter).finally(() => {
        pending = null
      })
      return pending
    },
    drop: (token) => {
      if (held?.token === token) held = null
    },
  }
}

/** How long an answer to "does the account have the system scope?" is believed. */
const SYSTEM_SCOPE_AGE_MS = 60 * 60 * 1000

type AccountTokens = Pick<ServiceAccount, 'token' | 'withToken'>
type TokensInput = { config: CloudConfig; transport: Transport; keystone: Keystone }

const createAccountTokens = ({ config, transport, keystone }: TokensInput): AccountTokens => {
  const identity = toIdentity(config.auth)
  const keeperOf = (scope: AccountScope) =>
    createTokenKeeper({
      authenticate: async (meter) => {
        const token = await keystone.authenticate({ identity, scope: toScope(config, scope), meter })
        transport.allowOrigins(listServiceUrls(token, config))
        return token
      },
    })
  const keepers = { project: keeperOf('project'), system: keeperOf('system') }
  const tokenOf = (scope: AccountScope, meter?: RequestMeter): Promise<Token> => keepers[scope].get(meter)
  const withToken: ServiceAccount['withToken'] = async (scope, work, meter) => {
    const token = await tokenOf(scope, meter)
    try {
      return await work(token)
    } catch (error) {
      if (!(error instanceof OpenStackError && error.status === 401)) throw error
      keepers[scope].drop(token)
      return work(await tokenOf(scope, meter))
    }
  }
  return { token: tokenOf, withToken }
}

type ScopeCheckInput = { config: CloudConfig; keystone: Keystone; tokens: AccountTokens }

const createSystemScopeCheck = ({ config, keystone, tokens }: ScopeCheckInput) => {
  let known: { has: boolean; atMs: number } | null = null
  return async (meter?: RequestMeter): Promise<boolean> => {
    if (config.auth.kind === 'application-credential' || config.auth.trustId !== null) return false
    if (known !== null && performance.now() - known.atMs < SYSTEM_SCOPE_AGE_MS) return known.has
    const scope = config.auth.project === null ? 'system' : 'project'
    const has = await tokens.withToken(scope, (token) => keystone.hasSystemScope(token.id, meter), meter)
    known = { has, atMs: performance.now() }
    return has
  }
}

/** The account that clouds.yaml names: one transport, a project-scoped token and, where it has it, a system-scoped one. */
export const createServiceAccount = (
  config: CloudConfig,
  { onClockDifference }: { onClockDifference?: (differenceMs: number) => void } = {},
): ServiceAccount => {
  const { name: cloud, region, services, authUrl } = config
  const apiUrl = services.keystone?.endpointOverride ?? null
  const overrides = Object.values(services).flatMap(({ endpointOverride }) => endpointOverride ?? [])
  const transport = createTransport({
    ...config,
    cloud,
    allowedOrigins: [authUrl, ...overrides],
  })
  const keystone = createKeystone({ transport, authUrl, apiUrl, cloud, onClockDifference })
  const signInTransport = createTransport({ ...config, cloud, allowedOrigins: [authUrl] })
  const tokens = createAccountTokens({ config, transport, keystone })

  const urlOf = (service: OpenStackServiceName, token: Token): string => {
    const override = services[service]?.endpointOverride
    return override === undefined
      ? findEndpoint({ token, config, service }).url
      : toBaseUrl(service, override)
  }
  return {
    cloud,
    region,
    transport,
    keystone,
    signInKeystone: createKeystone({ transport: signInTransport, authUrl, cloud, onClockDifference }),
    ...tokens,
    hasSystemScope: createSystemScopeCheck({ config, keystone, tokens }),
    endpoint: async (service) =>
      service === 'keystone' ? (apiUrl ?? authUrl) : urlOf(service, await tokens.token('project')),
    request: ({ path, meter, ...request }) => {
      const send = (token: Token) => {
        const url = `${urlOf(request.service, token)}${path}`
        const headers = { ...request.headers, 'x-auth-token': token.id }
        return transport.request({ ...request, meter, url, headers })
      }
      return tokens.withToken('project', async (token) => send(token), meter)
    },
    novaEndpointIds: async (meter) => {
      const token = await tokens.token('project', meter)
      if (!token.catalog.some((entry) => entry.type === 'compute')) return null
      const { serviceId, regionId } = findEndpoint({ token, config, service: 'nova' })
      return serviceId === null ? null : { serviceId, regionId }
    },
    close: async () => {
      await Promise.all([transport.close(), signInTransport.close()])
    },
  }
}
