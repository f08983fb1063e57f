import 'server-only'
import { createHash } from 'node:crypto'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { CatalogWatch as Wish } from '@/lib/server/prisma-client/client'
import { sendWebhook, type Webhook } from '@/lib/server/webhook/send-webhook'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { catalogPath } from '@/lib/util/paths'
import { type CatalogBoard, catalogBoard, projectOffers } from './catalog-board'

/** A refused call is tried again after a minute, two, four, … and at last every hour; after so many it is given up. */
const MOST_TRIES = 20
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000
const MOST_AT_ONCE = 50

/** The watches that a try is due for. */
const listDue = ({ database, now }: ServiceContext, cloud: Cloud): Promise<Wish[]> =>
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
const idOf = (cloud: Cloud, { userId, projectId, flavorId, madeAt }: Wish): string =>
  createHash('sha256')
    .update([cloud.name, userId, projectId, flavorId, madeAt.toISOString()].join('\n'))
    .digest('hex')
    .slice(0, 32)

type Told = { wish: Wish; name: string; availability: string }

/** The wish with the flavor that is free; null: nothing is, or the project may not use it any more. */
const toldOf = (board: CatalogBoard, wish: Wish): Told | null => {
  const found = projectOffers(board, wish.projectId).find(({ flavor }) => flavor.id === wish.flavorId)
  const availability = found?.offer.availability
  return found !== undefined && (availability === 'free' || availability === 'few')
    ? { wish, name: found.flavor.name, availability }
    : null
}

type Place = { cloud: Cloud; board: CatalogBoard; webhook: Webhook; url: string | null }

const messageOf = (
  ctx: ServiceContext,
  { cloud, board, url }: Place,
  { wish, name, availability }: Told,
) => ({
  event: 'flavor.free',
  id: idOf(cloud, wish),
  at: ctx.now().toISOString(),
  cloud: cloud.name,
  project: { id: wish.projectId, name: board.fleet.projects.get(wish.projectId)?.name ?? null },
  user: { id: wish.userId, name: wish.madeBy?.replace(/^user:/, '') ?? null },
  flavor: { id: wish.flavorId, name },
  availability,
  url: url === null ? null : `${url}${catalogPath({ search: { flavor: wish.flavorId } })}`,
})

const audit = (
  ctx: ServiceContext,
  { cloud }: Place,
  { wish, problem }: { wish: Wish; problem: string | null },
) => ({
  at: ctx.now(),
  actor: ctx.actor,
  cloud: cloud.name,
  action: problem === null ? ('catalog.tell' as const) : ('catalog.tell-fail' as const),
  subject: `flavor:${wish.flavorId}`,
  before: null,
  after: { project: wish.projectId, user: wish.userId, ...(problem === null ? {} : { problem }) },
})

/** False: the receiver did not take it, so that others need not be tried now. */
const tellOne = async (ctx: ServiceContext, place: Place, told: Told): Promise<boolean> => {
  const { wish } = told
  const { cloudId, userId, projectId, flavorId, tries } = wish
  const waiting = { cloudId, userId, projectId, flavorId, toldAt: null }
  // Of several consoles one gets the try. If it stops before the outcome, the next try comes when its rest is over.
  const claimed = await ctx.database.prisma.catalogWatch.updateMany({
    where: { ...waiting, tries },
    data: { tries: { increment: 1 }, nextTryAt: new Date(ctx.now().getTime() + restMs(tries)) },
  })
  if (claimed.count === 0) return true
  const problem = await sendWebhook(place.webhook, { at: ctx.now(), message: messageOf(ctx, place, told) })
  if (problem === null) {
    await ctx.database.transaction(async ({ prisma, query }) => {
      const taken = await prisma.catalogWatch.updateMany({ where: waiting, data: { toldAt: ctx.now() } })
      if (taken.count > 0) await writeAudit(query, audit(ctx, place, { wish, problem }))
    })
    return true
  }
  ctx.log.warn({ problem, tries: wish.tries + 1 }, 'Webhook delivery failed')
  if (wish.tries + 1 >= MOST_TRIES)
    await ctx.database.transaction(({ query }) => writeAudit(query, audit(ctx, place, { wish, problem })))
  return false
}

/**
 * Tells the webhook of each wish whose flavor is free by what was counted last, once per wish. It is called apart from counting
 * and from requests, so that a slow receiver holds up nothing but the next notes.
 */
export const tellWatchers = async (
  ctx: ServiceContext,
  { cloud, webhook, url }: { cloud: Cloud; webhook: Webhook; url: string | null },
): Promise<void> => {
  const board = catalogBoard(ctx, cloud)
  if (board === null) return
  const wishes = await listDue(ctx, cloud)
  const free = wishes.map((wish) => toldOf(board, wish)).filter((told) => told !== null)
  for (const told of free.slice(0, MOST_AT_ONCE))
    if (!(await tellOne(ctx, { cloud, board, webhook, url }, told))) return
}
