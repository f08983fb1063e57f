import 'server-only'
import { type CatalogWatchParams, catalogWatchParamsSchema } from '@/lib/schemas/api/catalog'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { CatalogWatch } from '@/lib/server/prisma-client/client'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { cachedCatalog, projectOffers } from './catalog-cache'

/** The same text for a flavor of another project and for a missing one, so that a tenant cannot distinguish them. */
const noSuchFlavor = (id: string) =>
  new ServiceError('not_found', `Your project has no GPU flavor with the id "${id}".`, { field: 'flavor' })

const checkFlavor = (
  ctx: ServiceContext,
  cloud: Cloud,
  { id, projectId }: { id: string; projectId: string },
) => {
  const catalog = cachedCatalog(ctx, cloud)
  const own = catalog === null ? [] : projectOffers(catalog, projectId)
  if (!own.some(({ flavor }) => flavor.id === id)) throw noSuchFlavor(id)
}

type Key = Pick<CatalogWatch, 'cloudId' | 'userId' | 'projectId' | 'flavorId'>
/** Answers with the number of rows that it changed. */
type Write = (prisma: Connection['prisma'], key: Key) => Promise<{ count: number }>

const write = async (
  ctx: ServiceContext,
  input: CatalogWatchParams,
  {
    action,
    run,
    isChecked,
  }: { action: 'catalog.watch' | 'catalog.end-watch'; run: Write; isChecked: boolean },
): Promise<void> => {
  requirePermission(ctx, 'catalog.watch')
  const { userId, cloud: name, scope } = requireProject(ctx)
  const { flavor: id } = parseInput(catalogWatchParamsSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  if (isChecked) checkFlavor(ctx, cloud, { id, projectId: scope.id })
  await ctx.database.transaction(async ({ prisma, query }) => {
    const { count } = await run(prisma, { cloudId: cloud.id, userId, projectId: scope.id, flavorId: id })
    if (count === 0) return
    await writeAudit(query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: cloud.name,
      action,
      subject: `flavor:${id}`,
      before: null,
      after: { project: scope.id },
    })
  })
}

/** Subscribes to a notification when one server of a flavor fits. Repeating it changes nothing. */
export const watchFlavor = (ctx: ServiceContext, input: CatalogWatchParams): Promise<void> =>
  write(ctx, input, {
    action: 'catalog.watch',
    isChecked: true,
    run: (prisma, key) =>
      prisma.catalogWatch.createMany({
        data: { ...key, madeAt: ctx.now(), madeBy: describeActor(ctx.actor) },
        skipDuplicates: true,
      }),
  })

/** Cancels the subscription; a missing one is no error. */
export const endWatch = (ctx: ServiceContext, input: CatalogWatchParams): Promise<void> =>
  write(ctx, input, {
    action: 'catalog.end-watch',
    isChecked: false,
    run: (prisma, key) => prisma.catalogWatch.deleteMany({ where: key }),
  })
