import { expect, onTestFinished, test } from 'vitest'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import { createServiceAccount } from '../session/create-service-account'
import { testCloudConfig } from '../testing/cloud-config'
import { createCloudReader } from './create-cloud-reader'

/** A cloud of one host, whose nova-compute has the name `gpu18` as in the host option of nova.conf. */
const openCloud = async (isRenamed = true) => {
  const requests: string[] = []
  const openstack = await startOpenStack({
    hostCount: 1,
    onRequest: (service, line) => {
      if (service === 'neutron') requests.push(line)
    },
  })
  onTestFinished(openstack.stop)
  const { cloud } = openstack
  const [compute] = cloud.nova.computes
  if (compute === undefined) throw new Error('the cloud has no nova-compute')
  if (isRenamed) compute.host = 'gpu18'
  const { name, password, domain, project } = DEMO_ACCOUNTS.admin
  const account = createServiceAccount(
    testCloudConfig({
      name: 'paris',
      authUrl: openstack.authUrl,
      region: cloud.region,
      account: { name, password, domain, project },
      timeoutMs: 5000,
    }),
  )
  onTestFinished(account.close)
  const reader = createCloudReader({ account })
  let nowMs = Date.parse('2026-11-21T08:00:00Z')
  const read = async () => {
    nowMs += 180_000
    const { facts } = await reader.readRound({ previous: null, now: new Date(nowMs) })
    expect(facts.services.error).toBeNull()
    return facts.services.value?.[0]?.networkAgent
  }
  return { cloud, requests, read }
}

test('a nova-compute without an agent of its name is reported, until there is one', async () => {
  const { cloud, read } = await openCloud()
  expect(await read()).toEqual({ isPresent: false, because: null })
  cloud.neutron.agentHosts.add('gpu18')
  expect(await read()).toEqual({ isPresent: true, because: null })
})

test('Neutron is not read for a host whose names are the same', async () => {
  const { read, requests } = await openCloud(false)
  expect(await read()).toBeUndefined()
  expect(requests).toEqual([])
})

test('without Neutron in the catalog, the check states what is missing', async () => {
  const { cloud, read } = await openCloud()
  cloud.keystone.services = cloud.keystone.services.filter(({ type }) => type !== 'network')
  cloud.keystone.endpoints = cloud.keystone.endpoints.filter(({ url }) => !url.endsWith('/network'))
  expect(await read()).toMatchObject({ isPresent: null, because: expect.stringContaining('Neutron') })
})

test('a list without any agent verifies nothing', async () => {
  const { cloud, read } = await openCloud()
  const [compute] = cloud.nova.computes
  cloud.neutron.isListEmpty = true
  expect(compute?.host).toBe('gpu18')
  expect(await read()).toEqual({ isPresent: null, because: 'Neutron lists no agents to this account' })
})
