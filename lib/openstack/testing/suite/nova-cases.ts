import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSameOrNewer } from '../../microversion'
import { createNova } from '../../nova/create-nova'
import { createServiceAccount } from '../../session/create-service-account'
import { type ClientTarget, configOf, errorOf, withAdmin } from './target'

export const novaCases = (target: () => ClientTarget): void => {
  it('agrees on the best microversion up to 2.96', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      const { novaMaximum } = target().capabilities
      expect(await nova.maxVersion()).toBe(novaMaximum)
      expect(await nova.version()).toBe(isSameOrNewer(novaMaximum, '2.96') ? '2.96' : novaMaximum)
    }))

  it('lists nova-compute services, and hypervisors that are roots in Placement', () =>
    withAdmin(target(), async ({ account, placement }) => {
      const nova = createNova({ account })
      const services = await nova.listServices()
      const hypervisors = await nova.listHypervisors()
      expect(hypervisors.length).toBeGreaterThan(0)
      const hosts = services.map((service) => service.host)
      const providers = new Map(
        (await placement.listProviders()).map((provider) => [provider.uuid, provider]),
      )
      for (const hypervisor of hypervisors) {
        expect(hosts).toContain(hypervisor.serviceHost)
        expect(providers.get(hypervisor.id)).toMatchObject({
          name: hypervisor.hypervisorHostname,
          parentUuid: null,
        })
      }
      for (const service of services) {
        expect(service.id).toMatch(/^[0-9a-f-]{36}$/)
        expect(service.state === 'up' || service.state === 'down').toBe(true)
      }
    }))

  it('lists servers of all projects, and those of one host alone', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      const all = await nova.listServers()
      expect(all.isComplete).toBe(true)
      const server = all.items.find(({ host, isDeleted }) => host !== null && !isDeleted)
      if (server?.host === undefined || server.host === null) return
      expect(server).toMatchObject({
        projectId: expect.stringMatching(/./),
        instanceName: expect.stringMatching(/./),
        vcpus: expect.any(Number),
      })
      const there = await nova.listServers({ host: server.host })
      expect(there.items.map(({ uuid }) => uuid)).toContain(server.uuid)
      expect(there.items.every(({ host }) => host === server.host)).toBe(true)
      expect(await nova.getServer(server.uuid)).toMatchObject({ uuid: server.uuid, host: server.host })
    }))

  it('lists no changes since tomorrow, and all since long ago', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      const changesSince = new Date(Date.now() + 86_400_000).toISOString()
      expect((await nova.listServers({ changesSince })).items).toEqual([])
      const living = await nova.listServers()
      const changed = await nova.listServers({ changesSince: '2000-01-01T00:00:00Z' })
      const uuids = changed.items.map(({ uuid }) => uuid)
      expect(uuids).toEqual(expect.arrayContaining(living.items.map(({ uuid }) => uuid)))
    }))

  it('knows no server and no flavor that are not there', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      expect(await nova.getServer(randomUUID())).toBeNull()
      expect(await nova.getFlavor(randomUUID())).toBeNull()
    }))

  it('lists flavors with their extra specs, private ones too', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      const flavors = await nova.listFlavors()
      expect(flavors.length).toBeGreaterThan(0)
      const vgpu = flavors.find(({ extraSpecs }) =>
        Object.keys(extraSpecs).some((key) => /^resources/.test(key)),
      )
      if (target().capabilities.hasVgpuServers) expect(vgpu).toBeDefined()
      const [first] = flavors
      expect(await nova.getFlavor(first?.id ?? '')).toEqual(first)
    }))

  it('lists aggregates and migrations', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      for (const aggregate of await nova.listAggregates()) {
        expect(aggregate.uuid).toMatch(/^[0-9a-f-]{36}$/)
      }
      const migrations = await nova.listMigrations({ changesSince: '2000-01-01T00:00:00Z' })
      expect(migrations.isComplete).toBe(true)
    }))

  it('disables nova-compute for a reason and enables it again', () =>
    withAdmin(target(), async ({ account, after }) => {
      const nova = createNova({ account })
      const service = (await nova.listServices()).find(({ status }) => status === 'enabled')
      if (service === undefined) throw new Error('no nova-compute is enabled')
      const { id, host } = service
      after(() => nova.enableService(id))
      const reason = 'Sliceboard: T4-4C to T4-8C'
      expect(await nova.disableService(id, reason)).toMatchObject({
        id,
        host,
        status: 'disabled',
        disabledReason: reason,
      })
      const listed = (await nova.listServices()).find((one) => one.id === id)
      expect(listed).toMatchObject({ status: 'disabled', disabledReason: reason })
      expect(await nova.enableService(id)).toMatchObject({ status: 'enabled', disabledReason: null })
    }))

  it('knows no server to move and no service to disable that are not there', () =>
    withAdmin(target(), async ({ account }) => {
      const nova = createNova({ account })
      for (const move of [nova.liveMigrate, nova.coldMigrate, nova.confirmResize])
        expect(await errorOf(move(randomUUID()))).toMatchObject({ service: 'nova', status: 404 })
      expect(await errorOf(nova.disableService(randomUUID(), 'x'))).toMatchObject({ status: 404 })
    }))

  it('refuses to a tenant to disable nova-compute with 403', async () => {
    const account = createServiceAccount(configOf(target(), target().credentials.tenant))
    try {
      const error = await errorOf(createNova({ account }).disableService(randomUUID(), 'x'))
      expect(error).toMatchObject({ service: 'nova', kind: 'http', status: 403 })
    } finally {
      await account.close()
    }
  })

  it('refuses hypervisors to a tenant with 403', async () => {
    const account = createServiceAccount(configOf(target(), target().credentials.tenant))
    try {
      const error = await errorOf(createNova({ account }).listHypervisors())
      expect(error).toMatchObject({ service: 'nova', kind: 'http', status: 403 })
      expect(error.detail).not.toBeNull()
    } finally {
      await account.close()
    }
  })
}
