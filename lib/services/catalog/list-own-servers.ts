import 'server-only'
import type { OwnServerList } from '@/lib/schemas/api/catalog'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { cachedCatalog } from './catalog-cache'

/** The own project's servers with GPUs: nothing of where they run. */
export const listOwnServers = async (ctx: ServiceContext): Promise<OwnServerList> => {
  requirePermission(ctx, 'catalog.read')
  const { cloud: name, scope } = requireProject(ctx)
  const catalog = cachedCatalog(ctx, await findCloud(ctx, { cloud: name }))
  return {
    project: scope.name,
    isRead: catalog !== null,
    isStale: catalog?.isStale ?? false,
    servers: (catalog?.servers.get(scope.id) ?? []).map((server) => ({
      uuid: server.uuid,
      name: server.name,
      status: server.status,
      flavorName: server.flavorName,
      createdAt: server.createdAt,
      gpus: server.gpus?.map(({ model, typeName, count }) => ({ model, typeName, count })) ?? null,
      license: server.license,
      guestDriver: server.guestDriver,
    })),
  }
}
