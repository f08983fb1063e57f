import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenStackSimulator, startOpenStack } from './start-openstack'
import { callApi, signIn } from './testing/api-client'

let openstack: OpenStackSimulator
beforeAll(async () => {
  openstack = await startOpenStack()
})
afterAll(() => openstack.stop())

it('lists providers and servers of a small world', async () => {
  const token = await signIn(openstack.authUrl, 'admin')
  const providers = await callApi(`${openstack.origin}/placement/resource_providers`, {
    token,
    headers: { 'openstack-api-version': 'placement 1.39' },
  })
  expect(providers.status).toBe(200)
  const { resource_providers: found } = providers.body as { resource_providers: { name: string }[] }
  expect(found.map(({ name }) => name)).toContain('cmp-r2-07_pci_0000_18_00_0')
  const servers = await callApi(
    `${openstack.origin}/compute/v2.1/servers/detail?all_tenants=1&host=cmp-r2-07`,
    {
      token,
      headers: { 'openstack-api-version': 'compute 2.96' },
    },
  )
  expect(servers.status).toBe(200)
  const guests = openstack.world.hosts.find(({ living }) => living.name === 'cmp-r2-07')?.living.spec().guests
  expect((servers.body as { servers: unknown[] }).servers).toHaveLength(guests?.length ?? 0)
})
