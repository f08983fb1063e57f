import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { cloudsYaml } from './cloud'
import { startConsole } from './console-process'
import { reportTrees } from './report-hosts'

/** A console without sign-in that reads a simulated cloud and hosts of the same world. */
export type FleetCloud = {
  url: string
  openstack: OpenStackSimulator
  /** What the hosts' agents would report next. */
  reportAgain: () => Promise<void>
  stop: () => Promise<void>
}

const SEED = 3
const START_AT = new Date('2026-11-21T08:00:00Z')

/** Hosts of the demo's fleet by name; each has reported once when this returns, and the cloud is read every second. */
export const openFleetCloud = async (
  hosts: readonly string[],
  /** `isStill`: nothing happens but what the test does. */
  { isStill = false }: { isStill?: boolean } = {},
): Promise<FleetCloud> => {
  const folder = makeTemporaryDirectory('fleet-cloud')
  const fleet = demoFleet({ seed: SEED, startAt: START_AT })
    .filter(({ spec }) => hosts.includes(spec.name))
    .map((host) => (isStill ? { ...host, story: { kind: 'still' as const } } : host))
  const world = openWorld({ fleet, seed: SEED, startAt: START_AT, directory: path.join(folder, 'hosts') })
  const openstack = await startOpenStack({ world, seed: SEED })
  const file = path.join(folder, 'clouds.yaml')
  writeFileSync(file, cloudsYaml(openstack.authUrl))
  const console = await startConsole({
    SLICEBOARD_OPENSTACK: 'auto',
    SLICEBOARD_SIGN_IN: 'off',
    SLICEBOARD_READ_INTERVAL_SECONDS: '1',
    SLICEBOARD_SILENT_AFTER_SECONDS: '900',
    OS_CLIENT_CONFIG_FILE: file,
  })
  const report = () =>
    reportTrees({
      url: console.url,
      folder,
      hosts: world.hosts.map(({ living }) => ({ name: living.name, root: living.root })),
    })
  await report()
  return {
    url: console.url,
    openstack,
    reportAgain: report,
    stop: async () => {
      await console.stop()
      await openstack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
