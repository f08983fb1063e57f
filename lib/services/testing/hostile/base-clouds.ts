import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import { editHosts, editList, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, buildServer, readPart } from '@/lib/domain/testing/build-cloud'
import { autostart, buildGuest, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { K40C_CONF, k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import { l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { PROVIDER_CONFIG_FILE, providerConfigContent } from '@/lib/schemas/agent/provider-config'

const CARD = '0000:20:00.0'

const ALIAS = 'alias = {"name": "t4", "vendor_id": "10de", "product_id": "1eb8", "device_type": "type-PCI"}'

/** Something in every list of the contract, so that every string of it can be replaced. */
const withEverything = (inventory: Inventory): Inventory => {
  const { host, novaConfig } = inventory
  const provider = mdevProviderName({ hypervisorHostname: host.name, address: CARD })
  return {
    ...inventory,
    host: {
      ...host,
      allowedCommands: [...COMMAND_NAMES].toSorted(),
      novaCompute: { startedAt: '2026-11-20T08:00:00Z', version: '34.0.0' },
      numaNodes: [{ id: 0, cpus: '0-23', memoryMib: 262_144 }],
      novaApi: { ...novaConf(`[pci]\n${ALIAS}`), files: ['/etc/nova/nova-api.conf'] },
    },
    gpus: inventory.gpus.map((gpu) => ({
      ...gpu,
      iommuGroup: 30,
      iommuGroupMembers: ['0000:20:00.1'],
      iommuGroupDevices: [
        {
          address: '0000:20:00.1',
          classCode: '040300',
          vendorId: '10de',
          deviceId: '10f7',
          driver: 'snd_hda_intel',
        },
      ],
    })),
    guests: [
      ...(inventory.guests ?? []).map((guest) => ({
        ...guest,
        nova: {
          serverName: 'web',
          flavorName: 'vgpu-T4',
          projectId: 'p1',
          projectName: 'research',
          userId: 'u1',
          userName: 'ada',
        },
        numa: { cpus: '0-3', memory: [{ node: 0, memoryMib: 8192 }] },
      })),
      buildGuest({ uuid: uuidOf(0x7003), name: 'instance-pci', pciDevices: ['0000:5e:00.0'] }),
    ],
    novaConfig:
      novaConfig === null
        ? null
        : {
            ...novaConfig,
            dropIn: { path: '/etc/nova/nova.conf.d/99-sliceboard-mdev.conf', place: 1 },
            providerConfig: {
              folder: '/etc/nova/provider_config',
              files: [
                {
                  name: PROVIDER_CONFIG_FILE,
                  text: providerConfigContent([{ provider, traits: ['CUSTOM_GRID_T4_8C'] }]),
                },
              ],
            },
          },
    nvidiaSmi: {
      driverVersion: '550.54.15',
      gpus: [
        {
          address: CARD,
          name: 'Tesla T4',
          uuid: 'GPU-1',
          framebufferMib: 16_384,
          migMode: 'disabled',
          gpuInstances: [{ id: 1, profile: '1g.5gb' }],
          heterogeneousMode: 'disabled',
          vgpuTypes: [
            {
              id: 230,
              name: 'GRID T4-8Q',
              framebufferMib: 8192,
              maxInstances: 2,
              maxPerInstance: null,
              profileId: null,
            },
          ],
          vgpus: [
            {
              vgpuId: '3251634191',
              guestUuid: inventory.guests?.[0]?.uuid ?? null,
              guestName: 'instance-1',
              typeName: 'GRID T4-4C',
              mdevUuid: uuidOf(0x1000),
              licenseStatus: 'Licensed',
              guestDriverVersion: '550.54.14',
            },
          ],
        },
      ],
    },
    problems: [{ source: 'nvidia-smi -q', code: 'command-failed', message: 'not allowed' }],
  }
}

const PRIVATE = buildFlavor({
  id: 'private',
  name: 'vgpu.private',
  isPublic: false,
  description: 'For one project',
  extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required', gpu: 'true' },
  projectIds: ['p1'],
})

/** Any vGPU type matches, so a test boot can use it. */
const ANY = buildFlavor({ id: 'any', name: 'vgpu.any', extraSpecs: { 'resources:VGPU': '1' } })

/** Two mdevs of another type: one runs, one is only defined. */
const withOrphans = (inventory: Inventory): Inventory => ({
  ...inventory,
  mdevs: [
    ...(inventory.mdevs ?? []),
    buildMdev({
      uuid: uuidOf(0x7001),
      parent: CARD,
      isActive: false,
      definition: autostart({ uuid: uuidOf(0x7001), parent: CARD, typeId: 'nvidia-320' }),
    }),
    buildMdev({ uuid: uuidOf(0x7002), parent: CARD, typeId: 'nvidia-320' }),
  ],
})

/** A guest outside libvirt uses the vGPU that no guest of libvirt has. */
const withHolder = (inventory: Inventory): Inventory => {
  const attached = new Set(inventory.guests?.flatMap(({ mdevs }) => mdevs.map(({ uuid }) => uuid)))
  const spare = inventory.mdevs?.find(({ uuid, isActive }) => isActive && !attached.has(uuid))
  return {
    ...inventory,
    deviceHolders: [
      {
        device: spare?.uuid ?? uuidOf(0x1001),
        seenBy: 'command-line',
        pid: 4242,
        program: 'qemu-system-x86_64',
        guestName: 'win10',
        guestUuid: uuidOf(0x4242),
      },
    ],
  }
}

/** Two hosts with sliced T4s, provider config, Nova's API, an aggregate, a private flavor and limits. */
export const slicedCloud = (): FleetFacts => {
  const built = editHosts(
    buildHealthyCloud([
      { cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false },
      { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
    ]),
    withEverything,
  )
  const limits = built.facts.limits.value
  const own = {
    id: 'limit-1',
    serviceId: 'nova',
    regionId: 'RegionOne',
    projectId: 'p1',
    domainId: null,
    resourceName: 'class:VGPU',
    resourceLimit: 2,
  }
  const remembered = { host: 'cmp-1', address: CARD, providerUuid: uuidOf(0x9005), at: built.now }
  return withFacts(
    editList(
      { ...built, traitMemory: [{ ...remembered, traits: ['CUSTOM_T4_4C', 'CUSTOM_LOST'] }] },
      'services',
      (service, at) => (at === 0 ? service : { ...service, updatedAt: '2026-11-21T09:59:00Z' }),
    ),
    {
      flavors: readPart([
        ...(built.facts.flavors.value ?? []),
        PRIVATE,
        ANY,
        buildFlavor({ name: 'm1.plain' }),
      ]),
      aggregates: readPart([
        {
          id: 1,
          uuid: uuidOf(0x9001),
          name: 'gpu',
          availabilityZone: 'az-1',
          hosts: ['cmp-1'],
          metadata: { gpu: 'true' },
        },
      ]),
      projects: readPart([
        { id: 'p1', name: 'research', domainId: 'default', isEnabled: true },
        { id: 'p2', name: 'cfd', domainId: 'default', isEnabled: true },
      ]),
      migrations: readPart([
        {
          uuid: uuidOf(0x9002),
          serverUuid: uuidOf(0x9003),
          type: 'live-migration' as const,
          status: 'running',
          sourceHost: 'cmp-1',
          destinationHost: 'cmp-2',
        },
      ]),
      ...(limits === null
        ? {}
        : {
            limits: readPart({
              ...limits,
              registered: [
                ...limits.registered.map((row) => ({ ...row, serviceId: 'nova', regionId: 'RegionOne' })),
                {
                  id: 'stray',
                  serviceId: 'nova',
                  regionId: null,
                  resourceName: 'class:VCPU',
                  defaultLimit: 16,
                },
              ],
              project: [own, { ...own, id: 'limit-2', regionId: null, resourceName: 'class:VCPU' }],
            }),
          }),
    },
  )
}

export const orphanCloud = (): FleetFacts => editHosts(slicedCloud(), withOrphans)

/** Its type changes are refused, since a guest outside libvirt uses a vGPU. */
export const heldCloud = (): FleetFacts => editHosts(slicedCloud(), withHolder)

/** One K40c for PCI passthrough, and ordinary servers on the same host. */
export const wholeCardCloud = (): FleetFacts => {
  const server = buildServer({ uuid: uuidOf(0x9100), host: 'hyper18', flavorName: 'g1.gpu', status: 'ERROR' })
  return k40cCloud({
    ordinary: 3,
    novaConf: K40C_CONF,
    api: K40C_CONF,
    servers: [
      { ...server, fault: 'No valid host was found', taskState: 'spawning', instanceName: 'instance-1' },
    ],
  })
}

/** An L40S whose VFs get types without mdevs, and its devices in Placement. */
export const vendorVfioCloud = (): FleetFacts =>
  editHosts(l40sCloud({ typed: 0 }), (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({
      ...gpu,
      virtualFunctions: gpu.virtualFunctions.map((vf) => ({
        ...vf,
        vendorVfio: { currentType: 0, creatable: ['1154  : NVIDIA L40S-16Q', '1155  : NVIDIA L40S-24Q'] },
      })),
    })),
  }))
