import { DEMO_CLOUD } from '@/simulator/demo-fleet/demo-fleet'
import { writeCloudsYaml } from '@/simulator/openstack/demo-cloud/clouds-yaml'
import type { GivenLimits } from '@/simulator/openstack/demo-cloud/limits'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import type { World } from '@/simulator/world/world'

export type ServedOpenStack = {
  authUrl: string
  /** Where things are broken by hand. */
  controlsUrl: string
  /** The console's service account, for OS_CLIENT_CONFIG_FILE. */
  cloudsFile: string
  /** The limits of projects as the past left them. */
  giveLimits: (given: GivenLimits) => void
  stop: () => Promise<void>
}

export type ServeOpenStackOptions = {
  world: World
  /** Where clouds.yaml is written. */
  directory: string
  /** 0 takes a free port. */
  port: number
  /** Consoles that may be signed in to by WebSSO. */
  trustedDashboards: string[]
  /** What nova-compute would write into its log. */
  onRefused?: (sentence: string) => void
}

/** The demo's OpenStack above a world, and a clouds.yaml that leads to it. */
export const serveOpenStack = async (options: ServeOpenStackOptions): Promise<ServedOpenStack> => {
  const { authUrl, origin, stop, giveLimits } = await startOpenStack({
    world: options.world,
    port: options.port,
    region: DEMO_CLOUD.region,
    trustedDashboards: options.trustedDashboards,
    ...(options.onRefused === undefined ? {} : { onRefused: options.onRefused }),
  })
  const cloudsFile = writeCloudsYaml(options.directory, { ...DEMO_CLOUD, authUrl })
  return { authUrl, controlsUrl: `${origin}/controls`, cloudsFile, stop, giveLimits }
}
