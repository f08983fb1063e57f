import type { VersionedCall } from '../versioned-call'
import { createdServerSchema, imagesSchema, updatedServiceSchema } from './nova-schemas'
import { toService } from './to-facts'
import type { NovaClient } from './types'

type ServiceWrites = Pick<NovaClient, 'disableService' | 'enableService'>

export const createServiceWrites = (call: VersionedCall): ServiceWrites => {
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

export const createServerMoves = (call: VersionedCall): ServerMoves => {
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

export const createServerWrites = (call: VersionedCall): ServerWrites => ({
  createServer: async ({ name, flavorId, imageId, networks, host, metadata }) => {
    const body = { server: { name, flavorRef: flavorId, imageRef: imageId, networks, host, metadata } }
    const { server } = await call.read(createdServerSchema, { method: 'POST', path: '/servers', body })
    return server.id
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
