import { DEMO_CLOUD, demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { createMemoryHost } from '@/simulator/host/memory-host'
import { createRandom } from '@/simulator/random/random'
import { createWorld, type World } from '@/simulator/world/world'
import type { Cloud } from './cloud'
import { openComputes } from './compute/open-computes'
import { demoAccounts } from './demo-cloud/accounts'
import { addDemoAggregates } from './demo-cloud/aggregates'
import { demoCatalog } from './demo-cloud/catalog'
import { demoFlavors } from './demo-cloud/flavors'
import { addDemoLimits } from './demo-cloud/limits'
import type { ServiceName } from './http/api-request'
import type { FaultBoard } from './http/faults'
import { serveHttp } from './http/serve-http'
import { keystoneService } from './keystone/keystone-service'
import { novaService } from './nova/nova-service'
import { createNovaState } from './nova/nova-state'
import { placementService } from './placement/placement-service'
import { createPlacementState } from './placement/placement-state'
import { RELEASES, type ReleaseName } from './releases'

export type OpenStackOptions = {
  /** Hosts of the cloud; without one, a small fleet in memory is made from `seed`. */
  world?: World
  seed?: number
  hostCount?: number
  /** 0, the default, takes a free port of the loopback. */
  port?: number
  release?: ReleaseName
  region?: string
  /** The APIs' clock: tokens, times in answers. */
  now?: () => Date
  tokenLifetimeSeconds?: number
  /** `[federation] trusted_dashboard`. */
  trustedDashboards?: string[]
  /** Period of nova-compute on the world's clock; 60 by default. */
  refreshSeconds?: number
  /** Each request as `GET /placement/resource_providers`. */
  onRequest?: (service: ServiceName, line: string) => void
  /** What Placement refused to a nova-compute. */
  onRefused?: (sentence: string) => void
}

export type OpenStackSimulator = {
  /** What `clouds.yaml` takes as auth_url. */
  authUrl: string
  origin: string
  world: World
  cloud: Cloud
  stop: () => Promise<void>
  controls: { refresh: (hostName?: string) => void }
}

const memoryWorld = (seed: number, hostCount: number): World => {
  const startAt = new Date()
  return createWorld({
    fleet: demoFleet({ seed, startAt, hostCount }),
    seed,
    startAt,
    openHost: createMemoryHost,
  })
}

const emptyCloud = (options: OpenStackOptions): Cloud => {
  const random = createRandom((options.seed ?? 1) + 77)
  const region = options.region ?? DEMO_CLOUD.region
  return {
    release: RELEASES[options.release ?? '2024.1'],
    region,
    now: options.now ?? (() => new Date()),
    newUuid: random.uuid,
    keystone: {
      ...demoAccounts(),
      regions: [region],
      services: [],
      endpoints: [],
      registeredLimits: [],
      limits: [],
      applicationCredentials: [],
      identityProviders: [],
      tokens: new Map(),
      limitModel: 'flat',
      tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
      trustedDashboards: options.trustedDashboards ?? [],
      listLimit: null,
    },
    placement: createPlacementState(),
    nova: createNovaState(),
  }
}

/** Its operator tags providers by hand, so the tags go with the provider when a card fills. */
const TAGGED_BY_HAND = 'cmp-r4-02'

/**
 * Starts a simulated OpenStack on the loopback: Keystone, Placement and Nova over HTTP, one origin, `authUrl` is
 * Keystone's. Its servers and allocations move with the guests of `world`; its pGPU providers are refreshed every
 * `refreshSeconds` of the world's clock, or at once by `controls.refresh()`. Accounts are those of `DEMO_ACCOUNTS`.
 */
export const startOpenStack = async (options: OpenStackOptions = {}): Promise<OpenStackSimulator> => {
  const world = options.world ?? memoryWorld(options.seed ?? 1, options.hostCount ?? 4)
  const cloud = emptyCloud(options)
  const faults: FaultBoard = new Map()
  const http = await serveHttp({
    services: [keystoneService(cloud), placementService(cloud), novaService(cloud)],
    port: options.port ?? 0,
    faults,
    onRequest: options.onRequest ?? (() => undefined),
  })
  Object.assign(cloud.keystone, demoCatalog(http.origin, cloud.region))
  cloud.nova.flavors = demoFlavors(
    world.hosts.map(({ fleet, living }) => ({ ...fleet, spec: living.spec() })),
  )
  const computes = openComputes({
    cloud,
    world,
    isTaggedByHand: (hostName) => hostName === TAGGED_BY_HAND,
    onRefused: options.onRefused ?? (() => undefined),
  })
  addDemoAggregates(cloud)
  addDemoLimits(cloud)
  const periodMs = (options.refreshSeconds ?? 60) * 1000
  world.every(periodMs, () => computes.refresh())
  return {
    authUrl: `${http.origin}/identity/v3`,
    origin: http.origin,
    world,
    cloud,
    stop: http.stop,
    controls: { refresh: computes.refresh },
  }
}
