import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { createHash } from 'node:crypto'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { sendWebhook, type Webhook } from '@/lib/server/webhook/send-webhook'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { catalogPath } from '@/lib/util/paths'
import { type CatalogBoard, catalogBoard, projectOffers } from './catalog-board'

/** A refused call is tried again after a minute, two, four, … and at last every hour; after so many it is given up. */
const MOST_TRIES = 20
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000
const MOST_AT_ONCE = 50

type Wish = {
  userId: string
  projectId: string
  flavorId: string
  madeAt: Date
  madeBy: string | null
  tries: number
}

const DUE = `
SELECT user_id AS "userId", project_id AS "projectId", flavor_id AS "flavorId", made_at AS "madeAt", made_by AS "madeBy", tries
FROM catalog_watch
WHERE cloud_id = $1 AND told_at IS NULL AND tries < $2 AND (next_try_at IS NULL OR next_try_at <= $3::timestamptz)
ORDER BY made_at`

const KEY = 'cloud_id = $1 AND user_id = $2 AND project_id = $3 AND flavor_id = $4'

// Of several consoles one gets the try; should it stop in the middle, the next try comes when its rest is over.
const CLAIM = `
UPDATE catalog_watch SET tries = tries + 1, next_try_at = $6::timestamptz
WHERE ${KEY} AND told_at IS NULL AND tries = $5 RETURNING tries`

const TOLD = `UPDATE catalog_watch SET told_at = $5::timestamptz WHERE ${KEY} AND told_at IS NULL RETURNING tries`

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
  const key = [place.cloud.id, wish.userId, wish.projectId, wish.flavorId]
  const next = new Date(ctx.now().getTime() + restMs(wish.tries))
  if ((await ctx.database.query(CLAIM, [...key, wish.tries, next])).length === 0) return true
  const problem = await sendWebhook(place.webhook, { at: ctx.now(), message: messageOf(ctx, place, told) })
  if (problem === null) {
    await ctx.database.transaction(async ({ query }) => {
      if ((await query(TOLD, [...key, ctx.now()])).length > 0)
        await writeAudit(query, audit(ctx, place, { wish, problem }))
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
  const wishes = await ctx.database.query(DUE, [cloud.id, MOST_TRIES, ctx.now()], uncheckedRow<Wish>())
  const free = wishes.map((wish) => toldOf(board, wish)).filter((told) => told !== null)
  for (const told of free.slice(0, MOST_AT_ONCE))
    if (!(await tellOne(ctx, { cloud, board, webhook, url }, told))) return
}
