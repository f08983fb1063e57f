import { afterAll, beforeAll, describe } from 'vitest'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { RELEASES, type ReleaseName } from '@/simulator/openstack/releases'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { clientSuite } from './client-suite'
import type { ClientTarget, SuiteCredentials } from './suite/target'

type DemoAccount = (typeof DEMO_ACCOUNTS)['admin' | 'tenant']

const credentialsOf = ({ name, domain, password, project }: DemoAccount): SuiteCredentials => ({
  userName: name,
  userDomain: domain,
  password,
  projectName: project,
})

const RELEASE_NAMES: readonly ReleaseName[] = ['zed', '2025.1', '2026.1']

describe.each(RELEASE_NAMES)('simulated OpenStack %s', (release) => {
  let openstack: OpenStackSimulator | null = null
  let target: ClientTarget | null = null

  beforeAll(async () => {
    openstack = await startOpenStack({ release })
    target = {
      authUrl: openstack.authUrl,
      region: openstack.cloud.region,
      credentials: {
        admin: credentialsOf(DEMO_ACCOUNTS.admin),
        tenant: credentialsOf(DEMO_ACCOUNTS.tenant),
      },
      capabilities: { novaMaximum: RELEASES[release].novaMaximum, hasVgpuServers: true },
    }
  })
  afterAll(() => openstack?.stop())

  clientSuite(() => {
    if (target === null) throw new Error('The simulator did not start.')
    return target
  })
})
