import { agentSettingsPath, gpuPath, gpusPath, hostPath, hostsPath, overviewPath } from '@/lib/util/paths'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import type { ServedOpenStack } from '@/simulator/process/serve-openstack'

type Sight = { host: string | null; path: string; sentence: string }

const SIGHTS: Sight[] = [
  { host: null, path: overviewPath(), sentence: 'all GPUs at a glance' },
  { host: null, path: gpusPath(), sentence: 'every pGPU with its vGPUs; changes every few seconds' },
  {
    host: 'cmp-r2-07',
    path: gpuPath({ host: 'cmp-r2-07', address: '0000:e7:00.0' }),
    sentence: 'three orphaned mdevs lock a T4 to its old type',
  },
  {
    host: 'cmp-r4-01',
    path: gpuPath({ host: 'cmp-r4-01', address: '0000:21:00.0' }),
    sentence: 'an A40 with 32 VFs and a capacity of 12 vGPUs',
  },
  {
    host: 'cmp-r6-01',
    path: hostPath({ host: 'cmp-r6-01' }),
    sentence: 'L40S with vendor VFIO, without mdevs',
  },
  {
    host: 'cmp-r2-08',
    path: hostPath({ host: 'cmp-r2-08' }),
    sentence: 'changes its vGPU type every few minutes',
  },
  { host: 'cmp-r7-03', path: hostPath({ host: 'cmp-r7-03' }), sentence: 'a host with many problems' },
  { host: 'cmp-r6-03', path: hostsPath(), sentence: 'cmp-r6-03 becomes silent after a minute' },
  { host: null, path: agentSettingsPath(), sentence: 'agents, and how to add a host' },
]

/** Addresses worth opening, of the hosts that take part. */
export const whatToSee = (consoleUrl: string, hostNames: string[]): string => {
  const sights = SIGHTS.filter(({ host }) => host === null || hostNames.includes(host))
  const links = sights.map(({ path }) => new URL(path, consoleUrl).href.replaceAll('%3A', ':'))
  const width = Math.max(...links.map((link) => link.length))
  return sights
    .map(({ sentence }, index) => `  ${(links[index] ?? '').padEnd(width)}  ${sentence}`)
    .join('\n')
}

const ACCOUNTS: [account: keyof typeof DEMO_ACCOUNTS, sentence: string][] = [
  ['admin', 'admin: full access'],
  ['otherAdmin', 'second admin: can approve changes of the first'],
  ['reader', 'reader: read-only access to everything'],
  ['tenant', 'tenant: sees only this project'],
  ['otherTenant', 'tenant in another domain'],
]

/** The simulated OpenStack: where it is, who may sign in, how to break it. */
export const cloudToUse = ({ authUrl, controlsUrl, cloudsFile }: ServedOpenStack): string => {
  const rows = ACCOUNTS.map(([account, sentence]) => {
    const { name, password, domain, project } = DEMO_ACCOUNTS[account]
    return `  ${name.padEnd(11)} ${password.padEnd(14)} ${domain.padEnd(8)} ${project.padEnd(11)} ${sentence}`
  })
  return [
    `Keystone: ${authUrl}. The console's service account: ${cloudsFile}.`,
    `  ${'name'.padEnd(11)} ${'password'.padEnd(14)} ${'domain'.padEnd(8)} ${'project'.padEnd(11)}`,
    ...rows,
    `To simulate a failure: curl -X POST '${controlsUrl}/breakApi?service=nova&kind=down' (revert with repairApi or heal; GET ${controlsUrl} lists all actions).`,
  ].join('\n')
}
