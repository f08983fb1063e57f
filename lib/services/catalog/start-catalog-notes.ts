import 'server-only'
import { createHash } from 'node:crypto'
import { writeAudit } from '@/lib/server/audit/audit'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { CatalogWatch } from '@/lib/server/prisma-client/client'
import { sendWebhook, type Webhook } from '@/lib/server/webhook/send-webhook'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { catalogPath } from '@/lib/util/paths'
import { boardClouds } from './board-clouds'
import { type CatalogBoard, catalogBoard, projectOffers } from './catalog-board'

/** A refused call is tried again after a minute, two, four, … and at last every hour; after so many it is given up. */
const MOST_TRIES = 20
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000
const MOST_AT_ONCE = 50

/** The watches that a try is due for. */
const listDue = ({ database, now }: ServiceContext, cloud: Cloud): Promise<CatalogWatch[]> =>
  database.prisma.catalogWatch.findMany({
    where: {
      cloudId: cloud.id,
      toldAt: null,
      tries: { lt: MOST_TRIES },
      OR: [{ nextTryAt: null }, { nextTryAt: { lte: now() } }],
    },
    orderBy: { madeAt: 'asc' },
  })

const restMs = (tries: number): number => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** tries)

/** The same for every try, so that a receiver knows a call that comes twice. */
const idOf = (cloud: Cloud, { userId, projectId, flavorId, madeAt }: CatalogWatch): string =>
  createHash('sha256')
    .update([cloud.name, userId, projectId, flavorId, madeAt.toISOString()].join('\n'))
    .digest('hex')
    .slice(0, 32)

type FreeFlavor = { watch: CatalogWatch; name: string; availability: string }

/** The watch with its free flavor; null: none is free, or the project may no longer use it. */
const freeFlavorOf = (board: CatalogBoard, watch: CatalogWatch): FreeFlavor | null => {
  const found = projectOffers(board, watch.projectId).find(({ flavor }) => flavor.id === watch.flavorId)
  const availability = found?.offer.availability
  return found !== undefined && (availability === 'free' || availability === 'few')
    ? { watch, name: found.flavor.name, availability }
    : null
}

type Place = { cloud: Cloud; board: CatalogBoard; webhook: Webhook; url: string | null }

const messageOf = (
  ctx: ServiceContext,
  { cloud, board, url }: Place,
  { watch, name, availability }: FreeFlavor,
) => ({
  event: 'flavor.free',
  id: idOf(cloud, watch),
  at: ctx.now().toISOString(),
  cloud: cloud.name,
  project: { id: watch.projectId, name: board.fleet.projects.get(watch.projectId)?.name ?? null },
  user: { id: watch.userId, name: watch.madeBy?.replace(/^user:/, '') ?? null },
  flavor: { id: watch.flavorId, name },
  availability,
  url: url === null ? null : `${url}${catalogPath({ search: { flavor: watch.flavorId } })}`,
})

const audit = (
  ctx: ServiceContext,
  { cloud }: Place,
  { watch, problem }: { watch: CatalogWatch; problem: string | null },
) => ({
  at: ctx.now(),
  actor: ctx.actor,
  cloud: cloud.name,
  action: problem === null ? ('catalog.tell' as const) : ('catalog.tell-fail' as const),
  subject: `flavor:${watch.flavorId}`,
  before: null,
  after: { project: watch.projectId, user: watch.userId, ...(problem === null ? {} : { problem }) },
})

/** False: the receiver did not take it, so that others need not be tried now. */
const tellOne = async (ctx: ServiceContext, place: Place, freeFlavor: FreeFlavor): Promise<boolean> => {
  const { watch } = freeFlavor
  const { cloudId, userId, projectId, flavorId, tries } = watch
  const waiting = { cloudId, userId, projectId, flavorId, toldAt: null }
  // Of several consoles one gets the try. If it stops before the outcome, the next try comes when its rest is over.
  const claimed = await ctx.database.prisma.catalogWatch.updateMany({
    where: { ...waiting, tries },
    data: { tries: { increment: 1 }, nextTryAt: new Date(ctx.now().getTime() + restMs(tries)) },
  })
  if (claimed.count === 0) return true
  const problem = await sendWebhook(place.webhook, {
    at: ctx.now(),
    message: messageOf(ctx, place, freeFlavor),
  })
  if (problem === null) {
    await ctx.database.transaction(async ({ prisma, query }) => {
      const taken = await prisma.catalogWatch.updateMany({ where: waiting, data: { toldAt: ctx.now() } })
      if (taken.count > 0) await writeAudit(query, audit(ctx, place, { watch, problem }))
    })
    return true
  }
  ctx.log.warn({ problem, tries: watch.tries + 1 }, 'Webhook delivery failed')
  if (watch.tries + 1 >= MOST_TRIES)
    await ctx.database.transaction(({ query }) => writeAudit(query, audit(ctx, place, { watch, problem })))
  return false
}

/**
 * Notifies the webhook of each watch whose flavor is free by the last count, once per watch. It runs separately from counting
 * and from requests, so that a slow receiver delays only the next notifications.
 */
export const tellWatchers = async (
  ctx: ServiceContext,
  { cloud, webhook, url }: { cloud: Cloud; webhook: Webhook; url: string | null },
): Promise<void> => {
  const board = catalogBoard(ctx, cloud)
  if (board === null) return
  const watches = await listDue(ctx, cloud)
  const free = watches.map((watch) => freeFlavorOf(board, watch)).filter((freeFlavor) => freeFlavor !== null)
  for (const freeFlavor of free.slice(0, MOST_AT_ONCE))
    if (!(await tellOne(ctx, { cloud, board, webhook, url }, freeFlavor))) return
}

const LOOK_MS = 10_000

/** Sends the notifications that tenants requested to the webhook, if one is configured. */
export const startCatalogNotes = async (runtime: Runtime): Promise<void> => {
  const { env, log, accounts, signIn, onStop } = runtime
  const { webhook, url } = env
  if (webhook === null || signIn === null || accounts.length === 0) return
  const ctx = requestContext(runtime, 'catalog-notes', { kind: 'system' })
  const turns = repeat(async (isStopping) => {
    try {
      for (const cloud of await boardClouds(runtime))
        if (!isStopping()) await tellWatchers(ctx, { cloud, webhook, url })
    } catch (err) {
      log.error({ err }, 'Webhook delivery failed')
    }
    return { restMs: LOOK_MS }
  })
  onStop('stop telling the webhook', turns.stop)
}
