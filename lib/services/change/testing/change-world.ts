import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { readTaggables } from '@/lib/domain/plans/read-taggable'
import type { ChangeTarget } from '@/lib/domain/plans/types'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import type { Actor, ServiceContext } from '@/lib/server/service-context'
import { type CloudReading, createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { type Advance, type AdvanceInput, advanceChange } from '../advance-change'
import { createChangeTools } from '../change-tools'
import { loadFleet } from '../load-fleet'

/** A cloud that was read once, and what its Placement says over HTTP. */
export type ChangeWorld = {
  ctx: (actor?: Actor) => ServiceContext
  cloud: () => { id: number; name: string; region: string | null }
  openstack: () => OpenStackSimulator
  placement: () => PlacementClient
  toolsOf: () => AdvanceInput['toolsOf']
  /** pGPUs with one provider each, that traits can be put on. */
  taggable: (count: number) => Promise<ChangeTarget[]>
  /** Reads hosts and cloud again. */
  readAgain: () => Promise<void>
  /** Traits of every provider, and all custom traits that Placement knows. */
  snapshot: () => Promise<{ providers: Record<string, readonly string[]>; traits: string[] }>
  /** Turns until nothing moves by itself; `broke` gets what a turn breaks off with. */
  run: (
    id: number,
    input?: Partial<Pick<AdvanceInput, 'toolsOf' | 'reach' | 'now'>> & { broke?: (error: unknown) => void },
  ) => Promise<Advance>
}

const MOST_TURNS = 200

/** The console's services, a database and a simulated cloud for the tests of a file. */
export const createChangeWorld = ({ hostCount = 4 } = {}): ChangeWorld => {
  const world = createServiceWorld()
  const folder = makeTemporaryDirectory('sliceboard-change-')
  let parts: {
    openstack: OpenStackSimulator
    account: ServiceAccount
    cloud: { id: number; name: string; region: string | null }
    reading: CloudReading
  } | null = null
  const get = () => {
    if (parts === null) throw new Error('the cloud opens before the first test')
    return parts
  }

  const readAgain = async () => {
    const { openstack, cloud, reading } = get()
    for (const { living } of openstack.world.hosts) {
      const inventory = await scanHost({ root: living.root, hostName: living.name })
      await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: NOW })
    }
    await reading.readRound()
  }

  beforeAll(async () => {
    const fleet = demoFleet({ seed: 3, startAt: NOW, hostCount })
    const hosts = openWorld({ fleet, seed: 3, startAt: NOW, directory: folder })
    const openstack = await startOpenStack({ world: hosts, seed: 3 })
    const cloud = { ...(await world.newCloud()), region: 'RegionOne' }
    const account = createServiceAccount(
      testCloudConfig({
        name: cloud.name,
        authUrl: openstack.authUrl,
        account: DEMO_ACCOUNTS.service,
        requestsPerSecond: 5000,
      }),
    )
    const reading = createCloudReading({
      database: world.database(),
      cloud,
      reader: createCloudReader({ account }),
      log: world.ctx().log,
      now: () => NOW,
      silentAfterSeconds: 120,
      staleAfterMs: 300_000,
      agentVersion: '0.1.0',
    })
    parts = { openstack, account, cloud, reading }
    await readAgain()
  })
  afterAll(async () => {
    await parts?.account.close()
    await parts?.openstack.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const toolsOf = () => createChangeTools({ ctx: world.ctx({ kind: 'system' }), accounts: [get().account] })
  const placement = () => createPlacement({ account: get().account })

  return {
    ctx: world.ctx,
    cloud: () => get().cloud,
    openstack: () => get().openstack,
    placement,
    toolsOf,
    readAgain,
    taggable: async (count) => {
      const fleet = await loadFleet(world.ctx(), get().cloud)
      const found = fleet.hosts.flatMap((joined) =>
        joined.pgpus
          .filter(
            (entry) => entry.providers.length === 1 && readTaggables(joined, entry).taggables?.length === 1,
          )
          .map(({ pgpu }) => ({ host: joined.host.name, address: pgpu.address })),
      )
      return found.slice(0, count)
    },
    snapshot: async () => {
      const client = placement()
      const providers: Record<string, readonly string[]> = {}
      for (const { uuid, name } of await client.listProviders())
        providers[name] = (await client.getTraits(uuid)).traits.toSorted()
      return { providers, traits: (await client.listTraits({ prefix: 'CUSTOM_' })).toSorted() }
    },
    run: async (id, { toolsOf: tools = toolsOf(), reach, broke, now = () => NOW } = {}) => {
      const input = {
        database: world.database(),
        now,
        toolsOf: tools,
        ...(reach === undefined ? {} : { reach }),
      }
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        try {
          const advance = await advanceChange(input, id)
          if (advance !== 'moved') return advance
        } catch (error) {
          if (broke === undefined) throw error
          broke(error)
        }
      }
      throw new Error(`change ${id} does not come to an end`)
    },
  }
}
