import { isSameOrNewer } from '../microversion'
import type { OpenStackSession } from '../session/types'
import type { RequestMeter } from '../transport/types'
import { createVersionedCall, type VersionedCall } from '../versioned-call'
import {
  createCloudReads,
  createProviderReads,
  providerPath,
  toInventory,
  toListedProvider,
} from './placement-reads'
import {
  aggregatesSchema,
  inventoriesSchema,
  providerSchema,
  traitsSchema,
  versionsSchema,
} from './placement-schemas'
import type { InventoryRecord, PlacementClient } from './types'

const fromInventory = (inventory: InventoryRecord) => ({
  total: inventory.total,
  reserved: inventory.reserved,
  min_unit: inventory.minUnit,
  max_unit: inventory.maxUnit,
  step_size: inventory.stepSize,
  allocation_ratio: inventory.allocationRatio,
})

type ProviderWrites = Pick<
  PlacementClient,
  'createProvider' | 'deleteProvider' | 'putInventories' | 'putTraits' | 'putAggregates'
>

const createProviderWrites = (call: VersionedCall): ProviderWrites => ({
  createProvider: async ({ uuid, name, parentUuid }) => {
    const body = { uuid, name, ...(parentUuid === undefined ? {} : { parent_provider_uuid: parentUuid }) }
    const raw = await call.read(providerSchema, { method: 'POST', path: '/resource_providers', body })
    return toListedProvider(raw)
  },
  deleteProvider: async (uuid) => {
    await call.send({ method: 'DELETE', path: providerPath(uuid) })
  },
  putInventories: async (uuid, { generation, inventories }) => {
    const entries = Object.entries(inventories)
    const body = {
      resource_provider_generation: generation,
      inventories: Object.fromEntries(entries.map(([name, inventory]) => [name, fromInventory(inventory)])),
    }
    const path = providerPath(uuid, '/inventories')
    const raw = await call.read(inventoriesSchema, { method: 'PUT', path, body })
    return {
      generation: raw.resource_provider_generation,
      inventories: Object.fromEntries(
        Object.entries(raw.inventories).map(([name, inventory]) => [name, toInventory(inventory)]),
      ),
    }
  },
  putTraits: async (uuid, { generation, traits }) => {
    const body = { resource_provider_generation: generation, traits }
    const raw = await call.read(traitsSchema, { method: 'PUT', path: providerPath(uuid, '/traits'), body })
    return { generation: raw.resource_provider_generation, traits: raw.traits }
  },
  putAggregates: async (uuid, { generation, aggregateUuids }) => {
    const body = { resource_provider_generation: generation, aggregates: aggregateUuids }
    const path = providerPath(uuid, '/aggregates')
    const raw = await call.read(aggregatesSchema, { method: 'PUT', path, body })
    return { generation: raw.resource_provider_generation, aggregateUuids: raw.aggregates }
  },
})

type NameWrites = Pick<
  PlacementClient,
  'createTrait' | 'deleteTrait' | 'createResourceClass' | 'deleteResourceClass'
>

const createNameWrites = (call: VersionedCall): NameWrites => {
  const send = async (method: 'PUT' | 'DELETE', collection: string, name: string) => {
    await call.send({ method, path: `/${collection}/${encodeURIComponent(name)}` })
  }
  return {
    createTrait: (name) => send('PUT', 'traits', name),
    deleteTrait: (name) => send('DELETE', 'traits', name),
    createResourceClass: (name) => send('PUT', 'resource_classes', name),
    deleteResourceClass: (name) => send('DELETE', 'resource_classes', name),
  }
}

type ConsumerWrites = Pick<PlacementClient, 'putConsumer' | 'deleteConsumer'>

const createConsumerWrites = (call: VersionedCall): ConsumerWrites => ({
  putConsumer: async ({ consumerUuid, allocations, projectId, userId, consumerGeneration, consumerType }) => {
    const hasTypes = isSameOrNewer(await call.version(), '1.38')
    const entries = Object.entries(allocations)
    const body = {
      allocations: Object.fromEntries(entries.map(([uuid, resources]) => [uuid, { resources }])),
      project_id: projectId,
      user_id: userId,
      consumer_generation: consumerGeneration,
      ...(hasTypes ? { consumer_type: consumerType ?? 'INSTANCE' } : {}),
    }
    await call.send({ method: 'PUT', path: `/allocations/${encodeURIComponent(consumerUuid)}`, body })
  },
  deleteConsumer: async (consumerUuid) => {
    await call.send({ method: 'DELETE', path: `/allocations/${encodeURIComponent(consumerUuid)}` })
  },
})

/** 1.33 takes names for request groups, which a flavor's own query may have. */
const OLDEST = '1.33'
const BEST = '1.39'

const readMaxVersion = (json: unknown): string | null => {
  const parsed = versionsSchema.safeParse(json)
  return parsed.success ? (parsed.data.versions[0]?.max_version ?? null) : null
}

type CreatePlacementInput = { account: OpenStackSession; meter?: RequestMeter | undefined }

/** Placement as this account sees it. Needs a project-scoped admin. Every function throws OpenStackError. */
export const createPlacement = ({ account, meter }: CreatePlacementInput): PlacementClient => {
  const call = createVersionedCall({
    account,
    service: 'placement',
    headerName: 'placement',
    best: BEST,
    oldest: OLDEST,
    readMaxVersion,
    meter,
  })
  return {
    version: call.version,
    maxVersion: call.maxVersion,
    ...createProviderReads(call),
    ...createCloudReads(call),
    ...createProviderWrites(call),
    ...createNameWrites(call),
    ...createConsumerWrites(call),
  }
}
