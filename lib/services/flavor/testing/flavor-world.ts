import { afterAll, beforeAll } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type FlavorFit, type FlavorList, flavorFitSchema, flavorListSchema } from '@/lib/schemas/api/flavor'
import type { FlavorListScope, FlavorScope } from '@/lib/schemas/api/scope'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { createTestContext } from '@/lib/server/testing/test-database'
import { type CloudReading, createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { createServiceWorld, READER } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import type { ReleaseName } from '@/simulator/openstack/releases'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { explainFlavor } from '../explain-flavor'
import { listFlavors } from '../list-flavors'

export const START_AT = new Date('2026-11-21T08:00:00Z')

type Opened = {
  account: ServiceAccount
  cloud: { id: number; name: string; region: string }
  reading: CloudReading
}

export type FlavorWorld = {
  openstack: () => OpenStackSimulator
  /** What the last `openCloud` made. */
  opened: () => Opened
  /** A cloud for the hosts that was not read yet; resolves to the function that closes it. */
  openCloud: () => Promise<() => Promise<void>>
  setClock: (at: Date) => void
  report: (isReporting?: (host: string) => boolean) => Promise<void>
  /** Every host reports, and a round ends. */
  read: () => Promise<void>
  ctx: (actor?: Actor) => ServiceContext
  idOf: (flavorName: string) => string
  list: (rest?: Partial<FlavorListScope>) => Promise<FlavorList>
  explain: (flavorName: string, rest?: Partial<FlavorScope>) => Promise<FlavorFit>
}

const held = <Value>(value: Value | null): Value => {
  if (value === null) throw new Error('the world opens before the first test')
  return value
}

/** Simulated hosts as trees that the agent scans once, since they stand still, and the services above them. */
export const createFlavorWorld = ({ release }: { release?: ReleaseName } = {}): FlavorWorld => {
  const world = createServiceWorld()
  const folder = makeTemporaryDirectory('sliceboard-flavors-')
  let clock = START_AT
  let simulator: OpenStackSimulator | null = null
  let current: Opened | null = null
  let inventories: Inventory[] = []
  const openstack = () => held(simulator)
  const opened = () => held(current)

  beforeAll(async () => {
    const fleet = demoFleet({ seed: 3, startAt: START_AT, hostCount: 6 })
    const hosts = openWorld({ fleet, seed: 3, startAt: START_AT, directory: folder })
    simulator = await startOpenStack({
      world: hosts,
      seed: 3,
      now: () => clock,
      ...(release === undefined ? {} : { release }),
    })
    inventories = await Promise.all(
      hosts.hosts.map(({ living }) => scanHost({ root: living.root, hostName: living.name })),
    )
  })
  afterAll(async () => {
    await openstack().stop()
    removeTree(folder)
  })

  const ctx: FlavorWorld['ctx'] = (actor) =>
    createTestContext({
      database: world.database(),
      now: () => clock,
      accounts: current === null ? [] : [current.account],
      ...(actor === undefined ? {} : { actor }),
    })
  const openCloud = async () => {
    clock = START_AT
    openstack().controls.heal()
    const cloud = { ...(await world.newCloud()), region: 'RegionOne' }
    const account = createServiceAccount(
      testCloudConfig({ name: cloud.name, authUrl: openstack().authUrl, account: DEMO_ACCOUNTS.service }),
    )
    const reading = createCloudReading({
      database: world.database(),
      cloud,
      reader: createCloudReader({ account }),
      log: ctx().log,
      now: () => clock,
      silentAfterSeconds: 120,
      staleAfterMs: 300_000,
      agentVersion: '0.1.0',
    })
    current = { account, cloud, reading }
    return () => account.close()
  }
  const report: FlavorWorld['report'] = async (isReporting = () => true) => {
    for (const inventory of inventories)
      if (isReporting(inventory.host.name))
        await storeReport(world.database(), { cloudId: opened().cloud.id, inventory, seenAt: clock })
  }
  const idOf = (flavorName: string): string =>
    openstack().cloud.nova.flavors.find(({ name }) => name === flavorName)?.id ?? flavorName
  const scope = () => ({ cloud: opened().cloud.name })
  return {
    openstack,
    opened,
    openCloud,
    setClock: (at) => {
      clock = at
    },
    report,
    read: async () => {
      await report()
      await opened().reading.readRound()
    },
    ctx,
    idOf,
    list: async (rest = {}) =>
      flavorListSchema.parse(await listFlavors(ctx(READER), { ...scope(), ...rest })),
    explain: async (flavorName, rest = {}) =>
      flavorFitSchema.parse(
        await explainFlavor(ctx(READER), { ...scope(), flavor: idOf(flavorName), ...rest }),
      ),
  }
}
