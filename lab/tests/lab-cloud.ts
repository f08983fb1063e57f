import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { loadClouds } from '@/lib/openstack/clouds/load-clouds'
import type { ClientTarget, SuiteCredentials } from '@/lib/openstack/testing/suite/target'

/** As for lab/start.sh: one of the releases of docs/lab.md. */
export const LAB_RELEASE = process.env.LAB_RELEASE ?? 'zed'
const LAB_STATE = path.resolve(
  process.env.LAB_STATE ?? (LAB_RELEASE === 'zed' ? '.lab' : `.lab-${LAB_RELEASE}`),
)
/** Of every account. */
export const PASSWORD = process.env.LAB_PASSWORD ?? 'labpass'

export const labHosts = (): string[] => readdirSync(path.join(LAB_STATE, 'hosts')).sort()

/** A file of the lab's state, such as `etc/nova/nova.conf` of the API. */
export const labFile = (...parts: string[]): string => path.join(LAB_STATE, ...parts)

export const hostFile = (host: string, ...parts: string[]): string =>
  path.join(LAB_STATE, 'hosts', host, ...parts)

/** Where a lab host's directory tree begins. */
export const treeOf = (host: string): string => hostFile(host, 'tree')

export const novaConfOf = (host: string): string => path.join(treeOf(host), 'etc/nova/nova-compute.conf')

/** The console's service account, as the console finds it. */
export const loadLabCloud = async (): Promise<CloudConfig> => {
  const file = path.join(LAB_STATE, 'clouds.yaml')
  if (!existsSync(file)) throw new Error(`${file} is missing; start the lab with npm run lab:start.`)
  const { clouds, problems } = await loadClouds({
    environment: { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: 'lab' },
    workingDirectory: LAB_STATE,
    homeDirectory: LAB_STATE,
    systemDirectory: LAB_STATE,
    defaults: { timeoutMs: 120_000, requestsPerSecond: 200 },
  })
  const cloud = clouds.find(({ name }) => name === 'lab')
  if (cloud === undefined) throw new Error(`${file}: ${problems.map(({ message }) => message).join(' ')}`)
  return cloud
}

const person = (userName: string, projectName: string): SuiteCredentials => ({
  userName,
  userDomain: 'Default',
  password: PASSWORD,
  projectName,
})

/** Nova's highest microversion by release. */
const NOVA_MAXIMA: Readonly<Record<string, string>> = {
  zed: '2.93',
  '2025.1': '2.100',
  '2026.1': '2.103',
  '2026.2': '2.104',
}
export const NOVA_MAXIMUM = NOVA_MAXIMA[LAB_RELEASE] ?? '2.93'

export const labTarget = async (): Promise<ClientTarget> => {
  const { authUrl, region } = await loadLabCloud()
  return {
    authUrl,
    region: region ?? '',
    credentials: { admin: person('admin', 'admin'), tenant: person('demo', 'demo') },
    capabilities: {
      novaMaximum: NOVA_MAXIMUM,
      hasVgpuServers: true,
    },
    letTimePass: () => new Promise((resolve) => setTimeout(resolve, 500)),
  }
}

const hypervisorSchema = z.object({
  mdevs: z.array(
    z.object({ uuid: z.string(), type_id: z.string(), parent: z.string(), active: z.boolean() }),
  ),
})

/** The mdevs that the fake libvirt of a host knows now: those that are there, and those that are defined alone. */
export const knownMdevsOf = (host: string) =>
  hypervisorSchema.parse(JSON.parse(readFileSync(hostFile(host, 'hypervisor.json'), 'utf8'))).mdevs

/** The mdevs that the fake libvirt of a host has now. */
export const mdevsOf = (host: string) => knownMdevsOf(host).filter(({ active }) => active)
