import 'server-only'
import type { Flavor } from '@/lib/domain/cloud/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type CatalogCache, cachedCatalog, projectOffers } from '@/lib/services/catalog/catalog-cache'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

/** A GPU flavor of the project. A flavor of another project and a missing one get the same refusal. */
export const ownFlavor = (
  ctx: ServiceContext,
  cloud: Cloud,
  { id, projectId }: { id: string; projectId: string },
): { flavor: Flavor; catalog: CatalogCache } => {
  const catalog = cachedCatalog(ctx, cloud)
  if (catalog === null)
    throw new ServiceError('unavailable', 'The flavors have not been read yet. Try again in a minute.')
  const found = projectOffers(catalog, projectId).find(({ flavor }) => flavor.id === id)
  if (found === undefined)
    throw new ServiceError('not_found', `Your project has no GPU flavor with the id "${id}".`, {
      field: 'flavor',
    })
  return { flavor: found.flavor, catalog }
}
