import 'server-only'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import { writeAudit } from '@/lib/server/audit/audit'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { CatalogWatch } from '@/lib/server/prisma-client/client'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadSubscriptions, queueEvent } from '@/lib/services/webhook-outbox/queue-event'
import { type CatalogCache, cachedCatalog, projectOffers } from './catalog-cache'
import { catalogClouds } from './catalog-clouds'

const CHECK_MS = 10_000
const MAX_AT_ONCE = 50

type FreeEvent = Extract<WebhookEvent, { event: 'flavor.free' }>

/** The event of a watch whose flavor is free; null: none is free, or the project may no longer use it. */
const eventOf = (
  { cloud, catalog, at }: { cloud: Cloud; catalog: CatalogCache; at: Date },
  { userId, projectId, flavorId, madeBy }: CatalogWatch,
): FreeEvent | null => {
  const found = projectOffers(catalog, projectId).find(({ flavor }) => flavor.id === flavorId)
  const availability = found?.offer.availability
  if (found === undefined || (availability !== 'free' && availability !== 'few')) return null
  return {
    event: 'flavor.free',
    at: at.toISOString(),
    cloud: cloud.name,
    flavor: { id: flavorId, name: found.flavor.name },
    availability,
    project: { id: projectId, name: catalog.fleet.projects.get(projectId)?.name ?? null },
    user: { id: userId, name: madeBy?.replace(/^user:/, '') ?? null },
  }
}

/** Queues the event for every webhook that receives it, once for each watch, also with several consoles. */
const queueFree = (ctx: ServiceContext, watch: CatalogWatch, event: FreeEvent): Promise<void> =>
  ctx.database.transaction(async ({ prisma, query }) => {
    const at = ctx.now()
    const { cloudId, userId, projectId, flavorId } = watch
    const subscriptions = (await loadSubscriptions(query, cloudId)).filter(
      ({ wantsFreeFlavors }) => wantsFreeFlavors,
    )
    if (subscriptions.length === 0) return
    const { count } = await prisma.catalogWatch.updateMany({
      where: { cloudId, userId, projectId, flavorId, notifiedAt: null },
      data: { notifiedAt: at },
    })
    if (count === 0) return
    for (const { webhookId } of subscriptions) await queueEvent(query, { webhookId, event, at })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: event.cloud,
      action: 'catalog.tell',
      subject: `flavor:${flavorId}`,
      before: null,
      after: { project: projectId, user: userId },
    })
  })

/**
 * Queues an event for each watch whose flavor is free by the last count. A watch waits until a webhook of its cloud receives
 * such events.
 */
export const queueFreeFlavors = async (ctx: ServiceContext, cloud: Cloud): Promise<void> => {
  const catalog = cachedCatalog(ctx, cloud)
  if (catalog === null) return
  const { prisma } = ctx.database
  const where = { cloudId: cloud.id, isEnabled: true, wantsFreeFlavors: true }
  if ((await prisma.webhook.count({ where })) === 0) return
  const watches = await prisma.catalogWatch.findMany({
    where: { cloudId: cloud.id, notifiedAt: null },
    orderBy: { madeAt: 'asc' },
  })
  const free = watches.flatMap((watch) => {
    const event = eventOf({ cloud, catalog, at: ctx.now() }, watch)
    return event === null ? [] : [{ watch, event }]
  })
  for (const { watch, event } of free.slice(0, MAX_AT_ONCE)) await queueFree(ctx, watch, event)
}

/** Notifies webhooks when a flavor is free that a tenant waits for. */
export const startCatalogNotifications = async (runtime: Runtime): Promise<void> => {
  const { log, accounts, signIn, onStop } = runtime
  if (signIn === null || accounts.length === 0) return
  const ctx = requestContext(runtime, 'catalog-notifications', { kind: 'system' })
  const turns = repeat(async (isStopping) => {
    try {
      for (const cloud of await catalogClouds(runtime)) if (!isStopping()) await queueFreeFlavors(ctx, cloud)
    } catch (err) {
      log.error({ err }, 'Catalog notifications could not be queued')
    }
    return { restMs: CHECK_MS }
  })
  onStop('stop queueing catalog notifications', turns.stop)
}
