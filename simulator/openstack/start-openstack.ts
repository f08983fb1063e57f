import { DEMO_CLOUD, demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { createMemoryHost } from '@/simulator/host/memory-host'
import { createRandom } from '@/simulator/random/random'
import { createWorld, type World } from '@/simulator/world/world'
import type { Cloud } from './cloud'
import { type Computes, openComputes } from './compute/open-computes'
import { serverOperations } from './compute/server-operations'
import { controlService } from './controls/control-service'
import { type Controls, createControls } from './controls/create-controls'
import { CAMPUS_LOGIN, demoAccounts } from './demo-cloud/accounts'
import { addDemoAggregates } from './demo-cloud/aggregates'
import { demoCatalog } from './demo-cloud/catalog'
import { demoFlavors } from './demo-cloud/flavors'
import { demoImages } from './demo-cloud/images'
import { demoKeyPairs } from './demo-cloud/key-pairs'
import { addDemoLimits, type GivenLimits } from './demo-cloud/limits'
import { glanceService } from './glance/glance-service'
import type { ServiceName } from './http/api-request'
import type { ServiceFaults } from './http/faults'
import { serveHttp } from './http/serve-http'
import { keystoneService } from './keystone/keystone-service'
import { neutronService } from './neutron/neutron-service'
import { createNeutronState } from './neutron/neutron-state'
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
  /** Keystone's `[DEFAULT] max_db_limit`; 1000 by default. */
  maxDbLimit?: number
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
  /** The limits of projects at the end of this cloud's past, for its start: all limits are replaced. */
  giveLimits: (given: GivenLimits) => void
  /** Break and repair by name; also by POST to `controls/NAME` of the origin. */
  controls: Controls
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
  const now = options.now ?? (() => new Date())
  return {
    release: RELEASES[options.release ?? '2025.1'],
    region,
    now,
    newUuid: random.uuid,
    keystone: {
      ...demoAccounts(),
      regions: [region],
      services: [],
      endpoints: [],
      registeredLimits: [],
      limits: [],
      applicationCredentials: [],
      identityProviders: [CAMPUS_LOGIN],
      tokens: new Map(),
      limitModel: 'flat',
      tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
      trustedDashboards: options.trustedDashboards ?? [],
      listLimit: null,
      defaultListLimit: null,
      maxDbLimit: options.maxDbLimit ?? 1000,
    },
    placement: createPlacementState(),
    nova: createNovaState(),
    neutron: createNeutronState(),
    glance: demoImages(now().getTime()),
    handTagged: new Set(),
  }
}

/** Its operator tags providers by hand, so the tags go with the provider when a card fills. */
const TAGGED_BY_HAND = 'cmp-r4-02'

type Filling = { world: World; computes: Computes; limits: GivenLimits }

/** Everything that follows from the hosts, and what operators made around it. */
const fillCloud = (cloud: Cloud, { world, computes, limits }: Filling): void => {
  cloud.nova.flavors = demoFlavors(
    world.hosts.map(({ fleet, living }) => ({ ...fleet, spec: living.spec() })),
  )
  cloud.nova.keyPairs = demoKeyPairs()
  // Operators made the traits of all types before they used them.
  for (const name of cloud.nova.flavors.flatMap(({ extraSpecs }) => Object.keys(extraSpecs))) {
    if (name.startsWith('trait:CUSTOM_')) cloud.placement.customTraits.add(name.slice('trait:'.length))
  }
  computes.populate()
  addDemoAggregates(cloud)
  addDemoLimits(cloud, limits)
}

/**
 * Starts a simulated OpenStack on the loopback: Keystone, Placement, Nova, and lists of Neutron and Glance over HTTP, one origin,
 * `authUrl` is Keystone's. Its servers and allocations move with the guests of `world`; its pGPU providers are refreshed every
 * `refreshSeconds` of the world's clock, or at once by `controls.refresh()`. Accounts are those of `DEMO_ACCOUNTS`; `controls` break things by name.
 */
export const startOpenStack = async (options: OpenStackOptions = {}): Promise<OpenStackSimulator> => {
  const world = options.world ?? memoryWorld(options.seed ?? 1, options.hostCount ?? 4)
  const cloud = emptyCloud(options)
  const faults: ServiceFaults = new Map()
  const computes = openComputes({
    cloud,
    world,
    isTaggedByHand: (hostName) => hostName === TAGGED_BY_HAND,
    onRefused: options.onRefused ?? (() => undefined),
  })
  let limits: GivenLimits = {}
  const rebuild = (): void => {
    Object.assign(cloud, {
      placement: createPlacementState(),
      nova: createNovaState(),
      handTagged: new Set(),
    })
    fillCloud(cloud, { world, computes, limits })
  }
  const controls = createControls({ cloud, world, faults, refresh: computes.refresh, rebuild })
  const http = await serveHttp({
    services: [
      keystoneService(cloud),
      placementService(cloud),
      novaService(cloud, serverOperations({ cloud, view: world.view })),
      neutronService(cloud),
      glanceService(cloud),
      controlService(() => controls),
    ],
    port: options.port ?? 0,
    faults,
    onRequest: options.onRequest ?? (() => undefined),
    now: cloud.now,
  })
  Object.assign(cloud.keystone, demoCatalog(http.origin, cloud.region))
  rebuild()
  world.every((options.refreshSeconds ?? 60) * 1000, () => computes.refresh())
  const { origin, stop } = http
  const giveLimits = (given: GivenLimits): void => {
    limits = given
    addDemoLimits(cloud, limits)
  }
  return { authUrl: `${origin}/identity/v3`, origin, world, cloud, stop, controls, giveLimits }
}
