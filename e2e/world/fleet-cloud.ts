import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { createAgentFleet } from '@/simulator/process/agent-fleet'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import type { World } from '@/simulator/world/world'
import { firstRound } from './cloud'
import { cloudsYaml } from './clouds-yaml'
import { startConsole } from './console-process'
import { loadAgent, makeJoinToken, reportTrees } from './report-hosts'

/** A console without sign-in that reads a simulated cloud and hosts of the same world. */
export type FleetCloud = {
  url: string
  openstack: OpenStackSimulator
  /** Temporary; goes with the cloud. */
  folder: string
  /** What the hosts' agents would report next. */
  reportAgain: () => Promise<void>
  stop: () => Promise<void>
}

const SEED = 3
const START_AT = new Date('2026-11-21T08:00:00Z')
const TICK_MS = 250
/** Of the world's clock at each tick. */
const STEP_MS = 2000

/** The world continues automatically: its clock, what is written into trees, and the agents as the demo runs them. */
const setGoing = async ({ world, url, folder }: { world: World; url: string; folder: string }) => {
  const agents = createAgentFleet({
    runAgent: await loadAgent(),
    serverUrl: url,
    joinToken: await makeJoinToken(url, world.hosts.length),
    intervalSeconds: 1,
    stateDirectoryOf: (host) => path.join(folder, 'agents', host),
    onWarning: (sentence) => process.stderr.write(`${sentence}\n`),
  })
  for (const { living } of world.hosts) agents.set(living, true)
  const tick = setInterval(() => {
    world.applyWrites()
    world.advance(STEP_MS)
  }, TICK_MS)
  return async () => {
    clearInterval(tick)
    await agents.close()
  }
}

/** Hosts of the demo's fleet by name; when this returns each has reported once, and the cloud, read every second, was read. */
export const openFleetCloud = async (
  hosts: readonly string[],
  /**
   * `isStill`: no servers come and go. `isGoing`: agents run all the time, with the commands that the demo's hosts allow.
   * `silentAfterSeconds`: the history is drawn up with that delay.
   */
  {
    isStill = false,
    isGoing = false,
    silentAfterSeconds = 900,
  }: { isStill?: boolean; isGoing?: boolean; silentAfterSeconds?: number } = {},
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
    SLICEBOARD_SILENT_AFTER_SECONDS: String(silentAfterSeconds),
    // It must be shorter than the time after which a host is silent.
    SLICEBOARD_REPORT_INTERVAL_SECONDS: isGoing
      ? '1'
      : String(Math.min(30, Math.ceil(silentAfterSeconds / 2))),
    OS_CLIENT_CONFIG_FILE: file,
  })
  const report = () =>
    reportTrees({
      url: console.url,
      folder,
      hosts: world.hosts.map(({ living }) => ({ name: living.name, root: living.root })),
    })
  await report()
  await firstRound(console)
  const stopGoing = isGoing ? await setGoing({ world, url: console.url, folder }) : null
  return {
    url: console.url,
    openstack,
    folder,
    reportAgain: report,
    stop: async () => {
      await stopGoing?.()
      await console.stop()
      await openstack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
