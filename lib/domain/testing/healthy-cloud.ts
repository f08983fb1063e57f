import fc from 'fast-check'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { Allocation, CloudFacts, ResourceProvider, Server } from '@/lib/domain/cloud/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import {
  buildFlavor,
  buildInput,
  buildServer,
  hostFacts,
  inventoryOf,
  mdevProvider,
  readPart,
  rootOf,
} from './build-cloud'
import {
  autostart,
  buildGuest,
  buildInventory,
  buildMdev,
  type CardSpec,
  novaConf,
  uuidOf,
} from './build-inventory'
import { offersOf, vfOf } from './offers'

type CardPlan = { kind: 'T4' | 'A40'; used: number; spare: number }
export type HostPlan = { cards: readonly CardPlan[]; hasDomain: boolean }

const KINDS = {
  T4: { typeId: 'nvidia-319', size: 4096, max: 4, trait: 'CUSTOM_T4_4C' },
  A40: { typeId: 'nvidia-560', size: 4096, max: 12, trait: 'CUSTOM_A40_4Q' },
} as const

/** VFs of an A40 that nova.conf lists: as many as fit, so that Placement advertises no more. */
const LISTED = KINDS.A40.max

type Made = { card: CardPlan; address: string; parents: string[]; made: number }

const planCard = (card: CardPlan, index: number): Made => {
  const address = `0000:${(0x20 + index).toString(16)}:00.0`
  const made = Math.min(KINDS[card.kind].max, card.used + card.spare)
  const parents =
    card.kind === 'T4'
      ? Array<string>(made).fill(address)
      : Array.from({ length: made }, (_, n) => vfOf(address, n))
  return { card, address, parents, made }
}

const toSpec = ({ card, address, made }: Made): CardSpec => {
  const freeSlots = (size: number, max: number): number =>
    made > 0 && size !== 4096 ? 0 : Math.max(0, max - made)
  const sizeOf = (name: string): number => Number(/-(\d+)/.exec(name)?.[1]) * 1024
  if (card.kind === 'T4')
    return {
      address,
      modelName: 'Tesla T4',
      offers: offersOf('T4', ({ name, maxInstance }) => freeSlots(sizeOf(name), maxInstance)),
    }
  return {
    address,
    deviceId: '2235',
    modelName: 'NVIDIA A40',
    functions: Array.from({ length: 32 }, (_, n) => ({
      address: vfOf(address, n),
      offers: offersOf('A40', ({ name, maxInstance }) =>
        n < made ? 0 : Math.min(1, freeSlots(sizeOf(name), maxInstance)),
      ),
    })),
  }
}

const listedOf = ({ card, address }: Made): string[] =>
  card.kind === 'T4' ? [address] : Array.from({ length: LISTED }, (_, n) => vfOf(address, n))

/** Every type lists its parents: as a default it would reach the VFs that are left out. */
const novaText = (cards: readonly Made[]): string => {
  const kinds = [...new Set(cards.map(({ card }) => card.kind))]
  const groups = kinds.map((kind) => {
    const listed = cards.filter(({ card }) => card.kind === kind).flatMap(listedOf)
    return `[mdev_${KINDS[kind].typeId}]\ndevice_addresses = ${listed.join(',')}`
  })
  return `[DEFAULT]\nresume_guests_state_on_host_boot = True\n[devices]\nenabled_mdev_types = ${kinds.map((kind) => KINDS[kind].typeId).join(',')}
${groups.join('\n')}
[libvirt]
live_migration_downtime = 500000
live_migration_downtime_steps = 3
live_migration_downtime_delay = 3
live_migration_completion_timeout = 0
[quota]
driver = nova.quota.UnifiedLimitsDriver`
}

type HostParts = {
  inventory: Inventory
  servers: Server[]
  providers: ResourceProvider[]
  allocations: Allocation[]
}

const providersOf = (
  root: ResourceProvider,
  { card, address, parents }: Made,
  n: number,
): ResourceProvider[] => {
  const { max, trait } = KINDS[card.kind]
  const used = (parent: string): number =>
    parents.slice(0, card.used).filter((entry) => entry === parent).length
  if (card.kind === 'T4')
    return [
      mdevProvider(root, {
        address,
        n,
        traits: [trait],
        inventories: { VGPU: inventoryOf(max, used(address)) },
      }),
    ]
  return Array.from({ length: LISTED }, (_, index) => {
    const vf = vfOf(address, index)
    return mdevProvider(root, {
      address: vf,
      n: n + index,
      traits: [trait],
      inventories: { VGPU: inventoryOf(1, used(vf)) },
    })
  })
}

const buildHost = (plan: HostPlan, index: number): HostParts => {
  const name = `cmp-${index + 1}`
  const root = rootOf(plan.hasDomain ? `${name}.example.org` : name, index)
  const cards = plan.cards.map(planCard)
  const mdevs = cards.flatMap(({ card, parents }, cardOffset) =>
    parents.map((parent, n) => {
      const mdev = {
        uuid: uuidOf(0x1000 * (index + 1) + 0x40 * cardOffset + n),
        parent,
        typeId: KINDS[card.kind].typeId,
      }
      return {
        card,
        isUsed: n < card.used,
        parent,
        mdev: buildMdev({ ...mdev, definition: autostart(mdev) }),
      }
    }),
  )
  const held = mdevs.filter(({ isUsed }) => isUsed)
  const uuids = held.map((_, n) => uuidOf(0x80_0000 + 0x1000 * index + n))
  const providers = cards.flatMap((card, n) => providersOf(root, card, 0x1000 * index + 0x40 * n))
  const inventory = buildInventory({
    cards: cards.map(toSpec),
    host: {
      name,
      osName: 'Debian 13',
      kernel: '6.12.41-amd64',
      libvirtVersion: '11.3.0',
      qemuVersion: '10.0.3',
      nvidiaDriverVersion: '550.90.05',
      numaNodes: [],
    },
    mdevs: mdevs.map(({ mdev }) => mdev),
    guests: held.map(({ mdev }, n) =>
      buildGuest({ uuid: uuids[n] ?? '', name: `instance-${n}`, mdevs: [mdev.uuid] }),
    ),
    novaConfig: novaConf(novaText(cards)),
  })
  const byAddress = new Map(
    providers.map((provider) => [
      provider.name.slice(-12).replace('_', ':').replace('_', ':').replace('_', '.'),
      provider.uuid,
    ]),
  )
  return {
    inventory,
    providers: [root, ...providers],
    servers: held.map(({ card }, n) =>
      buildServer({
        uuid: uuids[n] ?? '',
        host: name,
        extraSpecs: { 'resources:VGPU': '1', [`trait:${KINDS[card.kind].trait}`]: 'required' },
      }),
    ),
    allocations: held.flatMap(({ parent }, n) => [
      { consumerUuid: uuids[n] ?? '', providerUuid: byAddress.get(parent) ?? '', resources: { VGPU: 1 } },
    ]),
  }
}

const registered = (
  resourceName: string,
  defaultLimit: number,
): NonNullable<CloudFacts['limits']['value']>['registered'][number] => ({
  id: resourceName,
  serviceId: 'nova-service',
  regionId: 'RegionOne',
  resourceName,
  defaultLimit,
})

/** A cloud in which hosts, Nova, Placement and Keystone agree and nothing is wrong. */
export const buildHealthyCloud = (plans: readonly HostPlan[]): FleetFacts => {
  const hosts = plans.map(buildHost)
  const roots = hosts.map(({ providers }) => providers[0]).filter((root) => root !== undefined)
  const kinds = [...new Set(plans.flatMap((plan) => plan.cards.map((card) => card.kind)))]
  const hostNames = hosts.map(({ inventory }) => inventory.host.name)
  return buildInput(
    {
      versions: { nova: '2.100', placement: '1.39', keystone: '3.14' },
      providers: readPart(hosts.flatMap(({ providers }) => providers)),
      allocations: readPart(hosts.flatMap(({ allocations }) => allocations)),
      servers: readPart(hosts.flatMap(({ servers }) => servers)),
      services: readPart(
        hostNames.map((host) => ({
          id: `service-${host}`,
          host,
          status: 'enabled' as const,
          state: 'up' as const,
          isForcedDown: false,
          disabledReason: null,
          updatedAt: null,
          availabilityZone: 'nova',
        })),
      ),
      hypervisors: readPart(
        roots.map((root, n) => ({
          id: root.uuid,
          hypervisorHostname: root.name,
          serviceHost: hostNames[n] ?? '',
          hostIp: null,
          hypervisorVersion: null,
          state: 'up' as const,
          status: 'enabled' as const,
        })),
      ),
      flavors: readPart(
        kinds.map((kind) =>
          buildFlavor({
            name: `vgpu-${kind}`,
            extraSpecs: { 'resources:VGPU': '1', [`trait:${KINDS[kind].trait}`]: 'required' },
          }),
        ),
      ),
      limits: readPart({
        model: 'flat',
        registered: ['servers', 'class:VCPU', 'class:MEMORY_MB', 'class:DISK_GB', 'class:PCPU']
          .map((name) => registered(name, 1000))
          .concat(registered('class:VGPU', 0)),
        project: [],
        novaServiceId: 'nova-service',
        novaRegionId: 'RegionOne',
      }),
    },
    hosts.map(({ inventory }) => hostFacts(inventory)),
  )
}

const cardPlan: fc.Arbitrary<CardPlan> = fc
  .record({ kind: fc.constantFrom('T4' as const, 'A40' as const), used: fc.nat(12), spare: fc.nat(3) })
  .map(({ kind, used, spare }) => {
    const max = Math.min(used, KINDS[kind].max)
    return { kind, used: max, spare: Math.min(spare, KINDS[kind].max - max) }
  })

/** Plans of clouds of T4 and A40 hosts with any healthy use. */
export const healthyPlans: fc.Arbitrary<HostPlan[]> = fc.array(
  fc.record({ cards: fc.array(cardPlan, { minLength: 1, maxLength: 3 }), hasDomain: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
)
