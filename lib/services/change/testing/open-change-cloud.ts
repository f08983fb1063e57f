import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { type CommandSigner, createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { type CloudReading, createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { type createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import type { Flavor } from '@/simulator/openstack/nova/nova-state'
import type { ReleaseName } from '@/simulator/openstack/releases'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { openWorld } from '@/simulator/world/open-world'
import { uuidsOf } from './mdevs-of'

/** A simulated cloud with the console's side of it. */
export type ChangeCloud = {
  openstack: OpenStackSimulator
  account: ServiceAccount
  cloud: { id: number; name: string; region: string | null }
  reading: CloudReading
  signer: CommandSigner
  /** uuids of the mdevs that were there. */
  first: ReadonlySet<string>
}

/** The hosts of the demo that `fleetOf` names, in their own cloud that was not read yet. */
export const openChangeCloud = async ({
  world,
  folder,
  fleetOf,
  flavors,
  release,
}: {
  world: ReturnType<typeof createServiceWorld>
  folder: string
  fleetOf: (fleet: FleetHost[]) => FleetHost[]
  flavors: readonly Flavor[]
  release: ReleaseName | undefined
}): Promise<ChangeCloud> => {
  const fleet = fleetOf(demoFleet({ seed: 3, startAt: NOW }))
  const hosts = openWorld({ fleet, seed: 3, startAt: NOW, directory: folder })
  const openstack = await startOpenStack({
    world: hosts,
    seed: 3,
    ...(release === undefined ? {} : { release }),
  })
  openstack.cloud.nova.flavors.push(...flavors)
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
    // The clock is fixed, but manual changes must still be read.
    reader: createCloudReader({ account, ages: { flavors: 0, aggregates: 0, limits: 0 } }),
    log: world.ctx().log,
    now: () => NOW,
    silentAfterSeconds: 120,
    staleAfterMs: 300_000,
    agentVersion: '0.1.0',
  })
  const box = createSecretBox(['a secret of tests that seals nothing real'])
  const signer = createCommandSigner({ database: world.database(), box, now: () => NOW })
  const first = uuidsOf(hosts.hosts.map(({ living }) => living))
  return { openstack, account, cloud, reading, signer, first }
}
