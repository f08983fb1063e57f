import { afterEach, beforeEach, expect } from 'vitest'
import { hostSpec, novaSpec, novaType, RHEL_94 } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import { createMemoryHost } from '@/simulator/host/memory-host'
import type { GpuSpec, GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { createWorld, type World } from '@/simulator/world/world'
import { IMAGE_ID } from '../demo-cloud/images'
import type { Server } from '../nova/nova-state'
import { type Provider, providerNamed, usedOf } from '../placement/placement-state'
import { type OpenStackSimulator, startOpenStack } from '../start-openstack'
import { type ApiReply, callApi, signIn } from './api-client'

/** A T4 as the driver shows it without any vGPU. */
export const emptyT4 = (): GpuSpec =>
  buildGpu({
    model: 'T4',
    address: '0000:31:00.0',
    upstream: ['pci0000:3a', '0000:3a:00.0'],
    numaNode: 0,
    iommuGroup: 30,
    sharing: 'same-type',
  })

const stillHost = (name: string, typeId: string): FleetHost => ({
  spec: hostSpec({
    name,
    system: RHEL_94,
    gpus: [emptyT4()],
    nova: novaSpec({ version: '30.0.1', types: [novaType(typeId)] }),
  }),
  plan: {},
  projects: ['platform'],
  story: { kind: 'still' },
  connection: { kind: 'always' },
})

/** Three hosts with a T4 each, cmp-1 and cmp-2 for nvidia-319, cmp-3 for nvidia-320, on which nothing happens without a request. */
export const stillCloud = () => {
  let world: World | null = null
  let openstack: OpenStackSimulator | null = null
  let token = ''
  let nowMs = Date.now()

  beforeEach(async () => {
    nowMs = Date.now()
    const fleet = [
      stillHost('cmp-1', 'nvidia-319'),
      stillHost('cmp-2', 'nvidia-319'),
      stillHost('cmp-3', 'nvidia-320'),
    ]
    world = createWorld({ fleet, seed: 3, startAt: new Date(nowMs), openHost: createMemoryHost })
    openstack = await startOpenStack({ world, now: () => new Date(nowMs) })
    // Tests boot more servers than an admin's project is for.
    openstack.controls.setLimit({ project: 'admin', value: '1000' })
    token = await signIn(openstack.authUrl, 'admin')
  })
  afterEach(() => openstack?.stop())

  const started = (): { world: World; openstack: OpenStackSimulator } => {
    if (world === null || openstack === null) throw new Error('The cloud has not started.')
    return { world, openstack }
  }
  const living = (name: string) => {
    const found = started().world.hosts.find((host) => host.living.name === name)
    if (found === undefined) throw new Error(`There is no host ${name}.`)
    return found.living
  }
  const specOf = (name: string): HostSpec => living(name).spec()
  const providerOf = (name: string): Provider | undefined =>
    providerNamed(started().openstack.cloud.placement, `${name}_pci_0000_31_00_0`)

  const nova = (method: string, path: string, body?: unknown, version = '2.96'): Promise<ApiReply> =>
    callApi(`${started().openstack.origin}/compute/v2.1${path}`, {
      method,
      token,
      headers: { 'openstack-api-version': `compute ${version}` },
      ...(body === undefined ? {} : { body }),
    })
  /** The clock of the hosts. */
  const pass = (ms = 10_000): void => started().world.advance(ms)

  const flavor = async (specs: Record<string, string> = { 'resources:VGPU': '1' }): Promise<string> => {
    const name = `test-${started().openstack.cloud.nova.flavors.length}`
    const made = await nova('POST', '/flavors', { flavor: { name, vcpus: 1, ram: 512, disk: 1 } })
    const { id } = (made.body as { flavor: { id: string } }).flavor
    await nova('POST', `/flavors/${id}/os-extra_specs`, { extra_specs: specs })
    return id
  }

  return {
    openstack: () => started().openstack,
    living,
    specOf,
    guestOn: (name: string, uuid: string): GuestSpec | undefined =>
      specOf(name).guests.find((guest) => guest.uuid === uuid),
    serverOf: (uuid: string): Server | undefined => started().openstack.cloud.nova.servers.get(uuid),
    providerOf,
    usedOn: (name: string): number =>
      usedOf(started().openstack.cloud.placement, providerOf(name)?.uuid ?? '').get('VGPU') ?? 0,
    totalOn: (name: string): number | undefined => providerOf(name)?.inventories.get('VGPU')?.total,
    nova,
    act: (uuid: string, body: unknown) => nova('POST', `/servers/${uuid}/action`, body),
    setService: (name: string, body: unknown) => {
      const { computes } = started().openstack.cloud.nova
      return nova('PUT', `/os-services/${computes.find(({ host }) => host === name)?.serviceId}`, body)
    },
    flavor,
    /** Creates a server with a vGPU and waits until it is active or in error. */
    boot: async (more: Record<string, unknown> = {}): Promise<string> => {
      const server = {
        name: 'test-boot',
        flavorRef: await flavor(),
        imageRef: IMAGE_ID,
        networks: 'none',
        ...more,
      }
      const made = await nova('POST', '/servers', { server })
      expect(made.status).toBe(202)
      pass()
      return (made.body as { server: { id: string } }).server.id
    },
    pass,
    /** The clock of the APIs. */
    wait: (ms: number): void => {
      nowMs += ms
    },
    now: () => new Date(nowMs),
  }
}
