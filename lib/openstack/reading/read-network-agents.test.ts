import { expect, onTestFinished, test } from 'vitest'
import type { Hypervisor } from '@/lib/domain/cloud/types'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import type { CloudConfig } from '../clouds/cloud-config'
import { createServiceAccount } from '../session/create-service-account'
import { testCloudConfig } from '../testing/cloud-config'
import { createCloudReader } from './create-cloud-reader'
import { listRenamedHosts } from './read-network-agents'

const TIMEOUT_MS = 1000
/** Above the age of the part. */
const LATER = 180
const ADMINS_ONLY = 'By default Neutron lists agents to admins only (policy get_agent).'

/** A cloud of two hosts; the nova-compute of one has the name `gpu18` as in the host option of nova.conf. */
const openCloud = async ({
  isRenamed = true,
  services = {},
}: {
  isRenamed?: boolean
  services?: CloudConfig['services']
} = {}) => {
  const requests: string[] = []
  const openstack = await startOpenStack({
    hostCount: 2,
    onRequest: (service, line) => {
      if (service === 'neutron') requests.push(line)
    },
  })
  onTestFinished(openstack.stop)
  const { cloud, controls } = openstack
  const [compute] = cloud.nova.computes
  if (compute === undefined) throw new Error('the cloud has no nova-compute')
  if (isRenamed) compute.host = 'gpu18'
  const { name, password, domain, project } = DEMO_ACCOUNTS.admin
  const config = testCloudConfig({
    name: 'paris',
    authUrl: openstack.authUrl,
    region: cloud.region,
    account: { name, password, domain, project },
    timeoutMs: TIMEOUT_MS,
  })
  const account = createServiceAccount({ ...config, services })
  onTestFinished(account.close)
  const reader = createCloudReader({ account })
  let nowMs = Date.parse('2026-11-21T08:00:00Z')
  const read = async (seconds = LATER) => {
    nowMs += seconds * 1000
    const { facts, cost } = await reader.readRound({ previous: null, now: new Date(nowMs) })
    expect(facts.servers.error).toBeNull()
    expect(facts.servers.at).toBe(new Date(nowMs).toISOString())
    return { ...facts.networkAgents, cost: cost.find(({ service }) => service === 'neutron') }
  }
  const addAgent = (agentType: string, isAlive = true) => {
    cloud.neutron.agents.push({ host: 'gpu18', agentType, isAlive })
  }
  return { cloud, controls, requests, read, addAgent }
}

test('a nova-compute without an agent of its name is reported, until there is one', async () => {
  const { read, addAgent } = await openCloud()
  expect((await read()).value).toEqual([{ host: 'gpu18', state: 'missing' }])
  addAgent('Open vSwitch agent')
  expect((await read()).value).toEqual([{ host: 'gpu18', state: 'alive' }])
})

test('Neutron is read once within its age, and an unchanged result is the same object', async () => {
  const { read, requests, addAgent } = await openCloud()
  const first = await read()
  addAgent('Open vSwitch agent')
  expect(await read(60)).toMatchObject({ value: first.value, at: first.at })
  expect(requests).toEqual(['GET /network/v2.0/agents?fields=host&fields=agent_type&fields=alive'])
  const third = await read(60)
  expect(third.value).toEqual([{ host: 'gpu18', state: 'alive' }])
  expect(third.cost).toMatchObject({ requests: 1, error: null })
  expect((await read()).value).toBe(third.value)
  expect(requests).toHaveLength(3)
})

test('Neutron is not read for hosts whose names are the same', async () => {
  const { read, requests } = await openCloud({ isRenamed: false })
  const first = await read()
  expect(first).toMatchObject({ value: [], error: null })
  const second = await read()
  expect(second.value).toBe(first.value)
  expect(second.at).not.toBe(first.at)
  expect(requests).toEqual([])
})

test.each(['DHCP agent', 'Metadata agent', 'OVN Metadata agent', 'OVN Neutron agent'])(
  'a host with only a %s has no L2 agent',
  async (agentType) => {
    const { read, addAgent } = await openCloud()
    addAgent(agentType)
    expect((await read()).value).toEqual([{ host: 'gpu18', state: 'missing' }])
  },
)

test('a dead agent is named, and does not count where another one is alive', async () => {
  const { read, addAgent } = await openCloud()
  addAgent('Open vSwitch agent', false)
  expect((await read()).value).toEqual([{ host: 'gpu18', state: 'dead', agentTypes: ['Open vSwitch agent'] }])
  addAgent('OVN Controller agent')
  expect((await read()).value).toEqual([{ host: 'gpu18', state: 'alive' }])
})

test('all pages of a list that Neutron cuts are read', async () => {
  const { cloud, read, requests, addAgent } = await openCloud()
  cloud.neutron.pageSize = 1
  addAgent('Open vSwitch agent')
  expect((await read()).value).toEqual([{ host: 'gpu18', state: 'alive' }])
  expect(requests).toHaveLength(3)
})

test('without Neutron in the catalog, the check states what is missing, and nothing fails', async () => {
  const { cloud, read, requests } = await openCloud()
  cloud.keystone.services = cloud.keystone.services.filter(({ type }) => type !== 'network')
  cloud.keystone.endpoints = cloud.keystone.endpoints.filter(({ url }) => !url.endsWith('/network'))
  expect(await read()).toMatchObject({
    value: [
      { host: 'gpu18', state: 'unverified', because: expect.stringMatching(/no public endpoint of Neutron/) },
    ],
    error: null,
    cost: { requests: 0, error: null },
  })
  expect(requests).toEqual([])
})

test('with wrong settings of Neutron in clouds.yaml, the check states them, and no request is sent', async () => {
  const unusableBecause = 'Cloud "paris": network_interface is "intern".'
  const { read, requests } = await openCloud({ services: { neutron: { unusableBecause } } })
  expect(await read()).toMatchObject({
    value: [{ host: 'gpu18', state: 'unverified', because: unusableBecause }],
    error: null,
  })
  expect(requests).toEqual([])
})

test('a list without any agent verifies nothing', async () => {
  const { cloud, read } = await openCloud()
  cloud.neutron.isListEmpty = true
  const because = `Neutron returned no agents to this account. ${ADMINS_ONLY}`
  expect(await read()).toMatchObject({
    value: [{ host: 'gpu18', state: 'unverified', because }],
    error: null,
  })
})

test('a list without any L2 agent verifies nothing', async () => {
  const { cloud, read, addAgent } = await openCloud()
  addAgent('DHCP agent')
  cloud.neutron.hasHypervisorAgents = false
  const because = 'Neutron lists no L2 agent of any host; its mechanism driver may not use agents.'
  expect((await read()).value).toEqual([{ host: 'gpu18', state: 'unverified', because }])
})

test('an account that Neutron refuses with 403 verifies nothing, and nothing fails', async () => {
  const { controls, read, requests } = await openCloud()
  controls.breakApi({ service: 'neutron', kind: '403' })
  const because = `Neutron refused the list of agents (status 403). ${ADMINS_ONLY}`
  expect(await read()).toMatchObject({
    value: [{ host: 'gpu18', state: 'unverified', because }],
    error: null,
    cost: { requests: 1, error: null },
  })
  expect(requests).toHaveLength(1)
})

test('a Neutron that fails keeps the last result with its error, and is read again after its age', async () => {
  const { controls, read, requests } = await openCloud()
  const first = await read()
  controls.breakApi({ service: 'neutron', kind: '500' })
  const failed = await read()
  expect(failed).toMatchObject({ value: first.value, at: first.at })
  expect(failed.error).toContain('status 500')
  expect(failed.cost).toMatchObject({ requests: 1, error: failed.error })
  expect(await read(60)).toMatchObject({ error: failed.error, cost: { requests: 0 } })
  expect(requests).toHaveLength(2)
  controls.repairApi({ service: 'neutron' })
  expect(await read(60)).toMatchObject({ value: first.value, error: null })
})

test('a Neutron that hangs delays one round by one attempt and its repetition, for any number of hosts', async () => {
  const { cloud, controls, read, requests } = await openCloud()
  for (const [index, compute] of cloud.nova.computes.entries()) compute.host = `gpu${index}`
  controls.breakApi({ service: 'neutron', kind: 'slow', value: String(4 * TIMEOUT_MS) })
  const startMs = performance.now()
  const hung = await read()
  expect(performance.now() - startMs).toBeLessThan(4 * TIMEOUT_MS)
  expect(hung.value).toBeNull()
  expect(hung.error).toContain('Neutron of cloud "paris"')
  expect(requests).toHaveLength(2)
  expect(await read(30)).toMatchObject({ error: hung.error, cost: { requests: 0 } })
})

test('names of 1,200 hosts are compared by their first label', () => {
  const names = Array.from({ length: 1200 }, (_, index) => `cmp-${index}`)
  const hypervisor = (serviceHost: string, hypervisorHostname: string): Hypervisor => ({
    id: hypervisorHostname,
    hypervisorHostname,
    serviceHost,
    hostIp: null,
    hypervisorVersion: null,
    state: 'up',
    status: 'enabled',
  })
  const hypervisors = names.map((name, index) =>
    hypervisor(index % 2 === 0 ? name : `gpu-${index}`, `${name.toUpperCase()}.example.org`),
  )
  expect(listRenamedHosts(hypervisors, ['gpu-3', 'gpu-1', 'cmp-2'])).toEqual(['gpu-1', 'gpu-3'])
})
