import 'server-only'
import { type CatalogWatchParams, catalogWatchParamsSchema } from '@/lib/schemas/api/catalog'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { catalogBoard, projectOffers } from './catalog-board'

const ADD = `
INSERT INTO catalog_watch (cloud_id, user_id, project_id, flavor_id, made_at, made_by) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING RETURNING flavor_id`

const END = `
DELETE FROM catalog_watch WHERE cloud_id = $1 AND user_id = $2 AND project_id = $3 AND flavor_id = $4
RETURNING flavor_id`

/** The same words for a flavor of others and for none at all: a tenant is not told which it is. */
const noSuchFlavor = (id: string) =>
  new ServiceError('not_found', `Your project has no GPU flavor with the id "${id}".`, { field: 'flavor' })

const checkFlavor = (
  ctx: ServiceContext,
  cloud: Cloud,
  { id, projectId }: { id: string; projectId: string },
) => {
  const board = catalogBoard(ctx, cloud)
  const own = board === null ? [] : projectOffers(board, projectId)
  if (!own.some(({ flavor }) => flavor.id === id)) throw noSuchFlavor(id)
}

type Write = (query: Query, key: readonly unknown[]) => Promise<boolean>

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
  await ctx.database.transaction(async ({ query }) => {
    if (!(await run(query, [cloud.id, userId, scope.id, id]))) return
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

/** Asks to be told when one of a flavor is free. Asking twice changes nothing. */
export const watchFlavor = (ctx: ServiceContext, input: CatalogWatchParams): Promise<void> =>
  write(ctx, input, {
    action: 'catalog.watch',
    isChecked: true,
    run: async (query, key) => (await query(ADD, [...key, ctx.now(), describeActor(ctx.actor)])).length > 0,
  })

/** Takes it back; what is not asked for any more is no error. */
export const endWatch = (ctx: ServiceContext, input: CatalogWatchParams): Promise<void> =>
  write(ctx, input, {
    action: 'catalog.end-watch',
    isChecked: false,
    run: async (query, key) => (await query(END, [...key])).length > 0,
  })
