import * as z from 'zod'
import type { OpenStackSession } from '../session/types'
import type { RequestMeter } from '../transport/types'
import { createVersionedCall, type VersionedCall } from '../versioned-call'
import { createFlavorAccess, createFlavorWrites } from './flavor-writes'
import { listPages } from './list-pages'
import {
  aggregateSchema,
  aggregatesSchema,
  createdServerSchema,
  flavorSchema,
  flavorsSchema,
  hypervisorsSchema,
  imagesSchema,
  keyPairsSchema,
  migrationsSchema,
  ownLimitsSchema,
  quotaDefaultsSchema,
  quotaDetailSchema,
  quotaSetSchema,
  serverSchema,
  serversSchema,
  servicesSchema,
  updatedServiceSchema,
  versionSchema,
} from './nova-schemas'
import { toAggregate, toFlavor, toHypervisor, toMigration, toServer, toService } from './to-facts'
import type { NovaClient } from './types'

type ServiceWrites = Pick<NovaClient, 'disableService' | 'enableService'>

const createServiceWrites = (call: VersionedCall): ServiceWrites => {
  const put = async (id: string, body: unknown) => {
    const path = `/os-services/${encodeURIComponent(id)}`
    const { service } = await call.read(updatedServiceSchema, { method: 'PUT', path, body })
    return toService(service)
  }
  return {
    disableService: (id, reason) => put(id, { status: 'disabled', disabled_reason: reason }),
    enableService: (id) => put(id, { status: 'enabled' }),
  }
}

type ServerMoves = Pick<NovaClient, 'liveMigrate' | 'coldMigrate' | 'confirmResize'>

const createServerMoves = (call: VersionedCall): ServerMoves => {
  const act = async (uuid: string, body: unknown) => {
    await call.send({ method: 'POST', path: `/servers/${encodeURIComponent(uuid)}/action`, body })
  }
  return {
    liveMigrate: (uuid) => act(uuid, { 'os-migrateLive': { host: null, block_migration: 'auto' } }),
    coldMigrate: (uuid) => act(uuid, { migrate: null }),
    confirmResize: (uuid) => act(uuid, { confirmResize: null }),
  }
}

type ServerWrites = Pick<NovaClient, 'createServer' | 'deleteServer' | 'listImages'>

/** The last microversion at which Nova hands Glance's images on. */
const WITH_IMAGES = '2.35'

const createServerWrites = (call: VersionedCall): ServerWrites => ({
  createServer: async ({ flavorId, imageId, networks, keyName, securityGroups, ...rest }) => {
    const server = {
      ...rest,
      flavorRef: flavorId,
      imageRef: imageId,
      networks: typeof networks === 'string' ? networks : networks.map((uuid) => ({ uuid })),
      key_name: keyName,
      security_groups: securityGroups?.map((name) => ({ name })),
    }
    const { server: created } = await call.read(createdServerSchema, {
      method: 'POST',
      path: '/servers',
      body: { server },
    })
    return created.id
  },
  deleteServer: async (uuid) => {
    await call.send({ method: 'DELETE', path: `/servers/${encodeURIComponent(uuid)}`, acceptStatuses: [404] })
  },
  listImages: async () => {
    const request = { method: 'GET', path: '/images', atVersion: WITH_IMAGES } as const
    const { images } = await call.read(imagesSchema, request)
    return images.map(({ id, name }) => ({ id, name: name ?? id }))
  },
})

const oneAggregateSchema = z.object({ aggregate: aggregateSchema })

type AggregateWrites = Pick<
  NovaClient,
  | 'createAggregate'
  | 'deleteAggregate'
  | 'addAggregateHost'
  | 'removeAggregateHost'
  | 'writeAggregateMetadata'
>

const createAggregateWrites = (call: VersionedCall): AggregateWrites => {
  const act = async (id: number, body: unknown) => {
    const path = `/os-aggregates/${id}/action`
    const { aggregate } = await call.read(oneAggregateSchema, { method: 'POST', path, body })
    return toAggregate(aggregate)
  }
  return {
    createAggregate: async (name) => {
      const body = { aggregate: { name } }
      const { aggregate } = await call.read(oneAggregateSchema, {
        method: 'POST',
        path: '/os-aggregates',
        body,
      })
      return toAggregate(aggregate)
    },
    deleteAggregate: async (id) => {
      await call.send({ method: 'DELETE', path: `/os-aggregates/${id}` })
    },
    addAggregateHost: (id, host) => act(id, { add_host: { host } }),
    removeAggregateHost: (id, host) => act(id, { remove_host: { host } }),
    writeAggregateMetadata: (id, metadata) => act(id, { set_metadata: { metadata } }),
  }
}

const OLDEST = '2.90'
const BEST = '2.96'
/**
 * From 2.88 on Nova queries each nova-compute for its uptime, one after the other
 * (nova/api/openstack/compute/hypervisors.py).
 */
const BEFORE_UPTIME = '2.87'

const readMaxVersion = (json: unknown): string | null => {
  const parsed = versionSchema.safeParse(json)
  return parsed.success ? parsed.data.version.version : null
}

type CreateNovaInput = { account: OpenStackSession; meter?: RequestMeter | undefined }

/** Nova as this account sees it. Lists of all projects need a project-scoped admin. Every function throws OpenStackError. */
export const createNova = ({ account, meter }: CreateNovaInput): NovaClient => {
  const call = createVersionedCall({
    account,
    service: 'nova',
    headerName: 'compute',
    best: BEST,
    oldest: OLDEST,
    readMaxVersion,
    meter,
  })
  return {
    version: call.version,
    maxVersion: call.maxVersion,
    ...createHostReads(call),
    ...createServerReads(call),
    ...createFlavorReads(call),
    ...createQuotaReads(call),
    ...createOwnReads(call),
    ...createServiceWrites(call),
    ...createServerMoves(call),
    ...createServerWrites(call),
    ...createFlavorWrites(call),
    ...createFlavorAccess(call),
    ...createAggregateWrites(call),
  }
}

const createHostReads = (
  call: VersionedCall,
): Pick<NovaClient, 'listServices' | 'listHypervisors' | 'listAggregates'> => ({
  listServices: async () => {
    const path = '/os-services?binary=nova-compute'
    const { services } = await call.read(servicesSchema, { method: 'GET', path })
    return services.map(toService)
  },
  listHypervisors: async () => {
    const list = await listPages({
      call,
      schema: hypervisorsSchema,
      path: '/os-hypervisors/detail',
      atVersion: BEFORE_UPTIME,
      query: {},
      itemsOf: (page) => page.hypervisors.map(toHypervisor),
      linksOf: (page) => page.hypervisors_links,
    })
    return [...list.items]
  },
  listAggregates: async () => {
    const { aggregates } = await call.read(aggregatesSchema, { method: 'GET', path: '/os-aggregates' })
    return aggregates.map(toAggregate)
  },
})

const createServerReads = (
  call: VersionedCall,
): Pick<NovaClient, 'listServers' | 'getServer' | 'listMigrations'> => ({
  listServers: ({ host, projectId, name, changesSince, maxPages } = {}) =>
    listPages({
      call,
      schema: serversSchema,
      path: '/servers/detail',
      query: { all_tenants: '1', host, project_id: projectId, name, 'changes-since': changesSince },
      itemsOf: (page) => page.servers.map(toServer),
      linksOf: (page) => page.servers_links,
      maxPages,
    }),
  getServer: async (uuid) => {
    const request = {
      method: 'GET',
      path: `/servers/${encodeURIComponent(uuid)}`,
      acceptStatuses: [404],
    } as const
    const answer = await call.send(request)
    if (answer.status === 404) return null
    const {
      isDeleted,
      metadata: _metadata,
      ...server
    } = toServer(call.parse(z.object({ server: serverSchema }), request, answer).server)
    return isDeleted ? null : server
  },
  listMigrations: ({ changesSince, serverUuid, maxPages } = {}) =>
    listPages({
      call,
      schema: migrationsSchema,
      path: '/os-migrations',
      query: { 'changes-since': changesSince, instance_uuid: serverUuid },
      itemsOf: (page) => page.migrations.map(toMigration),
      linksOf: (page) => page.migrations_links,
      maxPages,
    }),
})

const createFlavorReads = (call: VersionedCall): Pick<NovaClient, 'listFlavors' | 'getFlavor'> => ({
  listFlavors: async () => {
    const list = await listPages({
      call,
      schema: flavorsSchema,
      path: '/flavors/detail',
      query: { is_public: 'None' },
      itemsOf: (page) => page.flavors.map(toFlavor),
      linksOf: (page) => page.flavors_links,
    })
    return [...list.items]
  },
  getFlavor: async (id) => {
    const request = {
      method: 'GET',
      path: `/flavors/${encodeURIComponent(id)}`,
      acceptStatuses: [404],
    } as const
    const answer = await call.send(request)
    if (answer.status === 404) return null
    return toFlavor(call.parse(z.object({ flavor: flavorSchema }), request, answer).flavor)
  },
})

const createOwnReads = (call: VersionedCall): Pick<NovaClient, 'getOwnLimits' | 'listKeyPairs'> => ({
  getOwnLimits: async () => {
    const { absolute } = (await call.read(ownLimitsSchema, { method: 'GET', path: '/limits' })).limits
    const toLimit = (value: number) => (value < 0 ? null : value)
    return {
      instances: { limit: toLimit(absolute.maxTotalInstances), used: absolute.totalInstancesUsed },
      cores: { limit: toLimit(absolute.maxTotalCores), used: absolute.totalCoresUsed },
      memoryMib: { limit: toLimit(absolute.maxTotalRAMSize), used: absolute.totalRAMUsed },
    }
  },
  listKeyPairs: async () => {
    const { items } = await listPages({
      call,
      schema: keyPairsSchema,
      path: '/os-keypairs',
      query: {},
      itemsOf: (page) => page.keypairs.map(({ keypair }) => keypair.name),
      linksOf: (page) => page.keypairs_links,
    })
    return [...items]
  },
})

const createQuotaReads = (
  call: VersionedCall,
): Pick<NovaClient, 'getQuotas' | 'getDefaultQuotas' | 'countServers'> => ({
  getQuotas: async (projectId) => {
    const path = `/os-quota-sets/${encodeURIComponent(projectId)}`
    const { quota_set } = await call.read(quotaSetSchema, { method: 'GET', path })
    return { instances: quota_set.instances, cores: quota_set.cores, memoryMib: quota_set.ram }
  },
  getDefaultQuotas: async (projectId) => {
    const path = `/os-quota-sets/${encodeURIComponent(projectId)}/defaults`
    const { quota_set } = await call.read(quotaDefaultsSchema, { method: 'GET', path })
    return new Map(
      Object.entries(quota_set).flatMap(([name, value]) =>
        typeof value === 'number' ? [[name, value] as const] : [],
      ),
    )
  },
  countServers: async (projectId) => {
    const path = `/os-quota-sets/${encodeURIComponent(projectId)}/detail`
    const { quota_set } = await call.read(quotaDetailSchema, { method: 'GET', path })
    return quota_set.instances.in_use
  },
})
