import { afterAll, beforeAll, describe } from 'vitest'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { createMemoryHost } from '@/simulator/host/memory-host'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { RELEASES, type ReleaseName } from '@/simulator/openstack/releases'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { createWorld, type World } from '@/simulator/world/world'
import { clientSuite } from './client-suite'
import type { ClientTarget, SuiteCredentials } from './suite/target'

type DemoAccount = (typeof DEMO_ACCOUNTS)['admin' | 'tenant']

const credentialsOf = ({ name, domain, password, project }: DemoAccount): SuiteCredentials => ({
  userName: name,
  userDomain: domain,
  password,
  projectName: project,
})

/** On these hosts nothing happens that the suite does not ask for. */
const stillWorld = (): World => {
  const startAt = new Date()
  const fleet = demoFleet({ seed: 1, startAt, hostCount: 4 })
  return createWorld({
    fleet: fleet.map((host) => ({ ...host, story: { kind: 'still' } })),
    seed: 1,
    startAt,
    openHost: createMemoryHost,
  })
}

const RELEASE_NAMES: readonly ReleaseName[] = ['zed', '2025.1', '2026.1']

describe.each(RELEASE_NAMES)('simulated OpenStack %s', (release) => {
  let openstack: OpenStackSimulator | null = null
  let target: ClientTarget | null = null

  beforeAll(async () => {
    const world = stillWorld()
    // Pages of two, as the lab's Keystone has them.
    openstack = await startOpenStack({ release, world, maxDbLimit: 2 })
    target = {
      authUrl: openstack.authUrl,
      region: openstack.cloud.region,
      credentials: {
        admin: credentialsOf(DEMO_ACCOUNTS.admin),
        tenant: credentialsOf(DEMO_ACCOUNTS.tenant),
      },
      capabilities: { novaMaximum: RELEASES[release].novaMaximum, hasVgpuServers: true },
      letTimePass: async () => world.advance(1000),
    }
  })
  afterAll(() => openstack?.stop())

  clientSuite(() => {
    if (target === null) throw new Error('The simulator did not start.')
    return target
  })
})
