import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { Hypervisor, Server } from '@/lib/domain/cloud/types'
import { createNova } from '../../nova/create-nova'
import type { NovaClient } from '../../nova/types'
import type { PlacementClient } from '../../placement/types'
import { type ClientTarget, errorOf, ownName, withAdmin } from './target'

const idSchema = z.object({ id: z.string() })
const VERSION = '2.90'
const LIMIT_MS = 240_000

type Tools = {
  nova: NovaClient
  placement: PlacementClient
  ask: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<unknown>
  act: (server: Server, body: unknown) => Promise<unknown>
  /** Asks again and again, while time goes by, until the answer is there. */
  until: <Value>(what: string, read: () => Promise<Value | null>) => Promise<Value>
  /** A host that takes servers. */
  hypervisor: Hypervisor
  serviceId: string
  /** Requests a small server without a GPU on a specific host, and waits until it is active or has failed. */
  boot: (extraSpecs?: Record<string, string>) => Promise<Server>
  after: (cleanup: () => Promise<unknown>) => void
}

const withHost = (target: ClientTarget, work: (tools: Tools) => Promise<void>): Promise<void> =>
  withAdmin(target, async ({ account, placement, after }) => {
    const nova = createNova({ account })
    const ask: Tools['ask'] = async (method, path, body) => {
      // Nova lists images up to 2.35 alone.
      const version = path === '/images' ? '2.1' : VERSION
      const headers = { 'openstack-api-version': `compute ${version}` }
      const answer = await account.request({
        service: 'nova',
        method,
        path,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      return answer.json
    }
    const until: Tools['until'] = async (what, read) => {
      const endMs = performance.now() + LIMIT_MS
      while (performance.now() < endMs) {
        const answer = await read()
        if (answer !== null) return answer
        await target.letTimePass()
      }
      throw new Error(`${what} did not happen within ${LIMIT_MS / 1000} s.`)
    }
    const services = await nova.listServices()
    const open = services.filter(({ state, status }) => state === 'up' && status === 'enabled')
    const hypervisor = (await nova.listHypervisors()).find(({ serviceHost }) =>
      open.some(({ host }) => host === serviceHost),
    )
    const serviceId = open.find(({ host }) => host === hypervisor?.serviceHost)?.id
    if (hypervisor === undefined || serviceId === undefined) throw new Error('No host takes servers.')

    const boot: Tools['boot'] = async (extraSpecs) => {
      const flavor = { name: ownName('flavor').toLowerCase(), vcpus: 1, ram: 64, disk: 0 }
      const made = z.object({ flavor: idSchema }).parse(await ask('POST', '/flavors', { flavor }))
      after(() => ask('DELETE', `/flavors/${made.flavor.id}`))
      if (extraSpecs !== undefined) await nova.writeExtraSpecs(made.flavor.id, extraSpecs)
      const { images } = z.object({ images: z.array(idSchema) }).parse(await ask('GET', '/images'))
      const body = {
        name: ownName('server').toLowerCase(),
        flavorRef: made.flavor.id,
        imageRef: images[0]?.id,
        networks: 'none',
        host: hypervisor.serviceHost,
      }
      const { server } = z.object({ server: idSchema }).parse(await ask('POST', '/servers', { server: body }))
      after(async () => {
        await ask('DELETE', `/servers/${server.id}`)
        // What it held is given back last.
        await until('the end of a server', async () =>
          (await nova.getServer(server.id)) === null &&
          (await placement.getConsumer(server.id)).allocations.length === 0
            ? true
            : null,
        )
      })
      return until('a server', async () => {
        const found = await nova.getServer(server.id)
        return found?.status === 'ACTIVE' || found?.status === 'ERROR' ? found : null
      })
    }
    const act: Tools['act'] = ({ uuid }, body) => ask('POST', `/servers/${uuid}/action`, body)
    await work({ nova, placement, ask, act, until, hypervisor, serviceId, boot, after })
  })

const REASON = 'suite: closed for a moment'

/** What a change of a host does through Nova. */
export const novaWriteCases = (target: () => ClientTarget): void => {
  it('closes a host with a reason, which Placement learns, and opens it again', () =>
    withHost(target(), async ({ nova, placement, ask, until, hypervisor, serviceId }) => {
      const isBarred = async () =>
        (await placement.getTraits(hypervisor.id)).traits.includes('COMPUTE_STATUS_DISABLED')
      try {
        expect(await nova.disableService(serviceId, REASON)).toMatchObject({
          host: hypervisor.serviceHost,
          status: 'disabled',
          disabledReason: REASON,
        })
        const listed = (await nova.listServices()).find(({ id }) => id === serviceId)
        expect(listed).toMatchObject({ status: 'disabled', disabledReason: REASON, state: 'up' })
        await until('a barred host', async () => ((await isBarred()) ? true : null))
        const wrong = ask('PUT', `/os-services/${serviceId}`, { status: 'enabled', disabled_reason: 'x' })
        expect(await errorOf(wrong)).toMatchObject({ status: 400 })
      } finally {
        expect(await nova.enableService(serviceId)).toMatchObject({ status: 'enabled', disabledReason: null })
      }
      await until('an open host', async () => ((await isBarred()) ? null : true))
      expect(await errorOf(nova.enableService(randomUUID()))).toMatchObject({ status: 404 })
    }))

  it('refuses a server of a flavor that asks by a PCI alias which its API does not have', () =>
    withHost(target(), async ({ nova, ask, after }) => {
      const flavor = { name: ownName('flavor').toLowerCase(), vcpus: 1, ram: 64, disk: 0 }
      const made = z.object({ flavor: idSchema }).parse(await ask('POST', '/flavors', { flavor }))
      after(() => ask('DELETE', `/flavors/${made.flavor.id}`))
      // The flavor itself may name what it likes.
      await nova.writeExtraSpecs(made.flavor.id, { 'pci_passthrough:alias': 'suite-unknown:1' })
      const { images } = z.object({ images: z.array(idSchema) }).parse(await ask('GET', '/images'))
      const body = {
        name: ownName('server').toLowerCase(),
        flavorRef: made.flavor.id,
        imageRef: images[0]?.id,
        networks: 'none',
      }
      expect(await errorOf(ask('POST', '/servers', { server: body }))).toMatchObject({
        service: 'nova',
        status: 400,
        detail: 'PCI alias suite-unknown is not defined',
      })
    }))

  it('boots a server on the very host, and takes it away with all that it held', () =>
    withHost(target(), async ({ nova, placement, ask, until, hypervisor, boot }) => {
      const server = await boot()
      expect(server).toMatchObject({ status: 'ACTIVE', host: hypervisor.serviceHost, fault: null })
      const held = async () => (await placement.getConsumer(server.uuid)).allocations
      expect(await held()).toMatchObject([
        { providerUuid: hypervisor.id, resources: { VCPU: 1, MEMORY_MB: 64 } },
      ])
      await ask('DELETE', `/servers/${server.uuid}`)
      await until('the end of a server', async () =>
        (await nova.getServer(server.uuid)) === null ? true : null,
      )
      await until('a free host', async () => ((await held()).length === 0 ? true : null))
      const seen = async (changesSince?: string) =>
        (await nova.listServers(changesSince === undefined ? {} : { changesSince })).items.find(
          ({ uuid }) => uuid === server.uuid,
        )
      expect(await seen()).toBeUndefined()
      expect(await seen('2000-01-01T00:00:00Z')).toMatchObject({ isDeleted: true })
    }))

  it('boots nothing on a closed host, even when it is requested', () =>
    withHost(target(), async ({ nova, placement, until, hypervisor, serviceId, boot }) => {
      await nova.disableService(serviceId, REASON)
      try {
        await until('a barred host', async () => {
          const { traits } = await placement.getTraits(hypervisor.id)
          return traits.includes('COMPUTE_STATUS_DISABLED') ? true : null
        })
        const server = await boot()
        expect(server).toMatchObject({ status: 'ERROR', host: null })
        expect(server.fault).toContain('No valid host was found')
      } finally {
        await nova.enableService(serviceId)
        await until('an open host', async () => {
          const { traits } = await placement.getTraits(hypervisor.id)
          return traits.includes('COMPUTE_STATUS_DISABLED') ? null : true
        })
      }
    }))

  it('takes every extra spec without a scope for a property of the host’s aggregates', () =>
    withHost(target(), async ({ nova, boot, hypervisor, after }) => {
      const host = hypervisor.serviceHost
      const specs = { group_policy: 'isolate', 'aggregate_instance_extra_specs:suite': 'yes' }
      const made = await nova.createAggregate(ownName('aggregate'))
      after(() => nova.deleteAggregate(made.id))
      await nova.addAggregateHost(made.id, host)
      after(() => nova.removeAggregateHost(made.id, host))
      await nova.writeAggregateMetadata(made.id, { suite: 'yes' })
      const alone = await boot(specs)
      expect(alone).toMatchObject({ status: 'ERROR', host: null })
      expect(alone.fault).toContain('No valid host was found')
      await nova.writeAggregateMetadata(made.id, { group_policy: 'none, isolate' })
      expect(await boot(specs)).toMatchObject({ status: 'ACTIVE', host })
    }))

  it('stops and starts a server, which keeps what it holds, and refuses what its state forbids', () =>
    withHost(target(), async ({ nova, placement, act, until, boot, hypervisor }) => {
      const server = await boot()
      const statusOf = (status: string) =>
        until(`a server ${status}`, async () => {
          const found = await nova.getServer(server.uuid)
          return found?.status === status && found.taskState === null ? found : null
        })
      expect(await errorOf(act(server, { 'os-start': null }))).toMatchObject({ status: 409 })
      expect(await errorOf(nova.confirmResize(server.uuid))).toMatchObject({ status: 409 })
      for (const body of [
        { migrate: { host: 'suite-unknown' } },
        { migrate: { host: hypervisor.serviceHost } },
        { 'os-migrateLive': { host: 'suite-unknown', block_migration: 'auto' } },
        { 'os-migrateLive': { host: null, block_migration: 'perhaps' } },
        { suite: null },
      ])
        expect(await errorOf(act(server, body)), JSON.stringify(body)).toMatchObject({ status: 400 })
      await act(server, { 'os-stop': null })
      await statusOf('SHUTOFF')
      expect((await placement.getConsumer(server.uuid)).allocations).toHaveLength(1)
      expect(await errorOf(nova.liveMigrate(server.uuid))).toMatchObject({ status: 409 })
      await act(server, { 'os-start': null })
      expect(await statusOf('ACTIVE')).toMatchObject({ host: hypervisor.serviceHost })
      expect(await errorOf(nova.coldMigrate(randomUUID()))).toMatchObject({ status: 404 })
    }))
}
