import { afterAll, beforeAll, beforeEach } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { createTestContext } from '@/lib/server/testing/test-database'
import { type CloudReading, createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { createTraitKeeper } from '@/lib/services/managed-trait/create-trait-keeper'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import type { ReleaseName } from '@/simulator/openstack/releases'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { createServiceWorld, type ServiceWorld } from './service-world'
import { storeReport } from './stored-report'

const START_AT = new Date('2026-11-21T08:00:00Z')

/** A simulated cloud over real trees that the agent scans, and a console that reads both; each test has its own cloud. */
export type ReadWorld = ServiceWorld & {
  openstack: () => OpenStackSimulator
  cloudName: () => string
  reading: () => CloudReading
  /** Another console on the same database, with the same service account. */
  newReading: () => CloudReading
  account: () => ServiceAccount
  /** Every host's tree as it is now. */
  reportAll: () => Promise<void>
  /** Advances the clock of console and cloud. */
  pass: (ms: number) => void
  at: (actor?: Actor) => ServiceContext
}

const neverMade = (what: string): never => {
  throw new Error(`the ${what} opens before the first test`)
}

/** For one test file. `hosts`: names of the demo's fleet; without it the first `hostCount`. */
export const createReadWorld = ({
  hostCount,
  hosts,
  release,
  wrapPlacement = (client) => client,
}: {
  hostCount?: number
  hosts?: readonly string[]
  release?: ReleaseName
  /** The client with which managed traits are restored. */
  wrapPlacement?: (client: PlacementClient) => PlacementClient
}): ReadWorld => {
  const world = createServiceWorld()
  const folder = makeTemporaryDirectory('sliceboard-reading-')
  let openstack: OpenStackSimulator | null = null
  let account: ServiceAccount | null = null
  let reading: CloudReading | null = null
  let cloud = { id: 0, name: '', region: 'RegionOne' }
  let clock = START_AT
  const at = (actor?: Actor) =>
    createTestContext({
      database: world.database(),
      now: () => clock,
      ...(actor === undefined ? {} : { actor }),
    })
  const simulator = () => openstack ?? neverMade('cloud')
  const reportAll = async () => {
    for (const { living } of simulator().world.hosts) {
      const inventory = await scanHost({ root: living.root, hostName: living.name })
      await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: clock })
    }
  }
  const newReading = (): CloudReading => {
    const base = { database: world.database(), cloud, log: at().log, now: () => clock }
    const opened = account ?? neverMade('account')
    return createCloudReading({
      ...base,
      reader: createCloudReader({ account: opened }),
      silentAfterSeconds: 120,
      staleAfterMs: 300_000,
      agentVersion: '0.1.0',
      keeper: createTraitKeeper({
        ...base,
        placement: wrapPlacement(createPlacement({ account: opened })),
      }),
    })
  }
  beforeAll(async () => {
    const fleet = demoFleet({
      seed: 3,
      startAt: START_AT,
      ...(hostCount === undefined ? {} : { hostCount }),
    }).filter(({ spec }) => hosts === undefined || hosts.includes(spec.name))
    const trees = openWorld({ fleet, seed: 3, startAt: START_AT, directory: folder })
    openstack = await startOpenStack({
      world: trees,
      seed: 3,
      now: () => clock,
      ...(release === undefined ? {} : { release }),
    })
  })
  afterAll(async () => {
    await openstack?.stop()
    removeTree(folder)
  })
  beforeEach(async () => {
    clock = START_AT
    cloud = { ...(await world.newCloud()), region: 'RegionOne' }
    const made = createServiceAccount(
      testCloudConfig({ name: cloud.name, authUrl: simulator().authUrl, account: DEMO_ACCOUNTS.service }),
    )
    account = made
    reading = newReading()
    await reportAll()
    return () => account?.close()
  })
  return {
    ...world,
    openstack: simulator,
    cloudName: () => cloud.name,
    reading: () => reading ?? neverMade('reading'),
    newReading,
    account: () => account ?? neverMade('account'),
    reportAll,
    pass: (ms) => {
      clock = new Date(clock.getTime() + ms)
    },
    at,
  }
}
