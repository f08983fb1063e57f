import type { Fleet, GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { DEFAULT_TRAIT_RULE, traitOfType } from '@/lib/domain/cloud/type-traits'
import type { ProviderInventory, ResourceProvider } from '@/lib/domain/cloud/types'
import { known } from '@/lib/domain/pgpu/known'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { type PublishedType, publishedType, publishedTypeId } from '@/lib/domain/vgpu-type/published-types'
import { readTypeFacts, type TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { formatCount, formatNoun } from '@/lib/util/format'
import { addToAggregates } from './add-to-aggregates'
import { emptyHost } from './empty-host'
import { type AppliedStep, type NewHosts, refused, type ScenarioState } from './types'

const NVIDIA = '10de'
const MIB_PER_GIB = 1024

/** The type as cards of the fleet have it; else as published, under its published id or its name. */
const typeOf = (fleet: Fleet, published: PublishedType): TypeFacts => {
  const { shortName } = published
  for (const { pgpus } of fleet.hosts)
    for (const { pgpu } of pgpus) {
      if (pgpu.currentType?.shortName === shortName) return pgpu.currentType
      const supported = pgpu.supportedTypes?.find((type) => type.shortName === shortName)
      if (supported !== undefined) return supported
    }
  const facts = readTypeFacts({
    typeId: publishedTypeId(shortName) ?? shortName,
    name: `NVIDIA ${shortName}`,
    description: null,
  })
  return {
    ...facts,
    shortName,
    framebufferMib: published.framebufferMib ?? facts.framebufferMib,
    maxInstance: published.maxPerGpu,
  }
}

/** The resource class and the traits with which Placement has the type today; else those of a new type. */
const placementOf = (fleet: Fleet, type: TypeFacts): { resourceClass: string; traits: readonly string[] } => {
  for (const { pgpus } of fleet.hosts)
    for (const { pgpu, providers } of pgpus) {
      if (pgpu.currentType?.typeId !== type.typeId) continue
      for (const { provider, kind } of providers) {
        const [resourceClass] = Object.keys(provider.inventories ?? {})
        if (kind === 'mdev' && resourceClass !== undefined)
          return { resourceClass, traits: provider.traits ?? [] }
      }
    }
  return {
    resourceClass: 'VGPU',
    traits: [traitOfType(DEFAULT_TRAIT_RULE, { type, vendorId: NVIDIA })],
  }
}

const inventoryOf = (total: number, like: ProviderInventory | undefined = undefined): ProviderInventory => {
  const ratio = like?.allocationRatio ?? 1
  return {
    capacity: Math.floor(total * ratio),
    used: 0,
    total,
    reserved: 0,
    allocationRatio: ratio,
    minUnit: 1,
    maxUnit: total,
    stepSize: 1,
  }
}

/** The compute node, with the traits and allocation ratios of an existing one. */
const rootOf = (like: ResourceProvider, step: NewHosts): ResourceProvider => {
  const own = like.inventories ?? {}
  const cpuClass = own.VCPU === undefined && own.PCPU !== undefined ? 'PCPU' : 'VCPU'
  return {
    ...like,
    inventories: {
      [cpuClass]: inventoryOf(step.vcpus, own[cpuClass]),
      MEMORY_MB: inventoryOf(step.memoryGib * MIB_PER_GIB, own.MEMORY_MB),
      DISK_GB: inventoryOf(step.diskGib, own.DISK_GB),
    },
  }
}

const addressOf = (index: number): string => `0000:${(index + 1).toString(16).padStart(2, '0')}:00.0`

const cardOf = (address: string, { model, type, capacity }: NewCard): Pgpu => ({
  address,
  vendorId: NVIDIA,
  deviceId: null,
  subsystemId: null,
  model,
  framework: 'mdev',
  isMigBacked: type.isMigBacked,
  driver: 'nvidia',
  numaNode: null,
  iommuGroup: null,
  iommuGroupMembers: [],
  iommu: { members: [], isolation: { value: true, reason: null } },
  framebufferMib: null,
  configuredType: { typeId: type.typeId, source: '' },
  handedOutBy: null,
  deviceSpecs: [],
  currentType: type,
  supportedTypes: null,
  mig: null,
  numbers: {
    capacity: known(capacity),
    used: known(0),
    spare: known(0),
    orphan: known(0),
    returning: known(0),
    creatable: known(capacity),
  },
  cells: [],
  virtualFunctions: [],
  findings: [],
  rawFacts: [],
})

type NewCard = {
  model: string
  type: TypeFacts
  capacity: number
  resourceClass: string
  traits: readonly string[]
}

const entryOf = (root: ResourceProvider, address: string, card: NewCard): JoinedPgpu => {
  const provider: GpuProvider = {
    kind: 'mdev',
    address,
    provider: {
      uuid: `${root.uuid} ${address}`,
      name: `${root.name}_${address}`,
      generation: 0,
      parentUuid: root.uuid,
      rootUuid: root.uuid,
      inventories: { [card.resourceClass]: inventoryOf(card.capacity) },
      traits: card.traits,
      aggregateUuids: null,
    },
  }
  return { pgpu: cardOf(address, card), functions: [address], providers: [provider] }
}

/** A host of the fleet whose compute node Placement knows: of the aggregate if it has one. */
const patternOf = (fleet: Fleet, aggregate: string | null): JoinedHost | undefined => {
  const isKnown = (joined: JoinedHost): boolean =>
    joined.pgpus.length > 0 && joined.root.value?.inventories != null
  const inside = fleet.input.facts.aggregates.value?.find(({ name }) => name === aggregate)?.hosts ?? []
  return (
    fleet.hosts.find((joined) => isKnown(joined) && inside.includes(joined.service.value?.host ?? '')) ??
    fleet.hosts.find(isKnown)
  )
}

const hostOf = (
  pattern: JoinedHost,
  name: string,
  { step, card }: { step: NewHosts; card: NewCard },
): JoinedHost => {
  const host = emptyHost({ ...pattern, pgpus: [] }, name)
  const { value } = host.root
  if (value === null) return host
  const root = rootOf(value, step)
  const { inventory } = host.host
  return {
    ...host,
    host: {
      ...host.host,
      // The nodes, guests and devices are not those of the pattern.
      inventory: { ...inventory, guests: [], gpus: [], host: { ...inventory.host, numaNodes: null } },
    },
    root: { ...host.root, value: root },
    pgpus: Array.from({ length: step.cards }, (_, index) => entryOf(root, addressOf(index), card)),
  }
}

const orderText = (step: NewHosts): string =>
  [
    `${formatNoun(step.count, 'host')}, each with:`,
    `- ${step.cards} x ${step.model}`,
    `- ${formatCount(step.vcpus)} vCPUs`,
    `- ${formatCount(step.memoryGib)} GiB of memory`,
    `- ${formatCount(step.diskGib)} GiB of disk`,
  ].join('\n')

/**
 * New hosts with cards of the table of cards. Traits and allocation ratios of the compute node are those of an existing GPU
 * host; the resource class and the traits of the cards are those that Placement has for the type.
 */
export const addNewHosts = (state: ScenarioState, step: NewHosts): AppliedStep => {
  const { fleet } = state
  const published = publishedType(step.typeName, { model: step.model, framebufferMib: null })
  if (published === null)
    return refused(
      state,
      `The table of cards has no vGPU type ${step.typeName} of ${step.model}. Choose another type or card.`,
    )
  const pattern = patternOf(fleet, step.aggregate)
  if (pattern === undefined)
    return refused(
      state,
      'Placement has no compute node of a host with a GPU, so the traits of a new one are unknown. First add a host to the cloud.',
    )
  const aggregates = fleet.input.facts.aggregates.value
  if (step.aggregate !== null && aggregates?.some(({ name }) => name === step.aggregate) !== true)
    return refused(state, `Nova has no aggregate ${step.aggregate}: choose another one.`)
  const type = typeOf(fleet, published)
  const card = { model: step.model, type, capacity: published.maxPerGpu, ...placementOf(fleet, type) }
  const names = Array.from({ length: step.count }, (_, index) => `new host ${state.added.size + index + 1}`)
  return {
    state: {
      ...state,
      fleet: {
        ...addToAggregates(fleet, { names, isIn: ({ name }) => name === step.aggregate }),
        hosts: [...fleet.hosts, ...names.map((name) => hostOf(pattern, name, { step, card }))],
      },
      added: new Set([...state.added, ...names]),
    },
    outcome: { problem: null, moving: 0, targets: [], text: orderText(step) },
  }
}
