import 'server-only'
import * as z from 'zod'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { deliveryStateSchema, type WebhookDto, type WebhookList } from '@/lib/schemas/api/webhook'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { compareTexts } from '@/lib/util/compare-texts'
import { shownWebhook, WITH_CLOUD, webhookRow } from './webhook-rows'

// SQL: the last try of each webhook is found with a lateral join; Prisma would read all of them.
const LAST = `
SELECT w.id AS "webhookId", last.event ->> 'event' AS event, last.state, last.tries, last.tried_at AS "triedAt",
  last.answered_status AS status, last.failure, last.took_ms AS "tookMs"
FROM webhook w CROSS JOIN LATERAL (
  SELECT * FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.tried_at IS NOT NULL
  ORDER BY d.tried_at DESC, d.id DESC LIMIT 1) last
WHERE w.cloud_id = $1`

const lastRow = z.object({
  webhookId: z.int(),
  event: z.string(),
  state: deliveryStateSchema,
  tries: z.int(),
  triedAt: z.date(),
  status: z.int().nullable(),
  failure: z.string().nullable(),
  tookMs: z.int().nullable(),
})

const loadLast = async (
  { database }: ServiceContext,
  cloudId: number,
): Promise<Map<number, WebhookDto['last']>> =>
  new Map(
    (await database.query(LAST, [cloudId], lastRow)).map(({ webhookId, triedAt, ...last }) => [
      webhookId,
      { ...last, triedAt: triedAt.toISOString() },
    ]),
  )

const WITH_WAITING = {
  ...WITH_CLOUD,
  _count: { select: { deliveries: { where: { state: 'waiting' } } } },
} satisfies Prisma.WebhookInclude

/** The webhooks of a cloud by name, with the outcome of the last try of each. Neither secrets nor addresses. */
export const listWebhooks = async (ctx: ServiceContext, input: CloudScope): Promise<WebhookList> => {
  requirePermission(ctx, 'webhook.list')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const found = await ctx.database.prisma.webhook.findMany({
    where: { cloudId: cloud.id },
    include: WITH_WAITING,
  })
  const last = await loadLast(ctx, cloud.id)
  const webhooks = found
    .toSorted((a, b) => compareTexts(a.name, b.name))
    .map(
      ({ _count, ...row }): WebhookDto => ({
        id: row.id,
        ...shownWebhook(webhookRow(row)),
        madeBy: row.madeBy,
        waiting: _count.deliveries,
        madeAt: row.madeAt.toISOString(),
        last: last.get(row.id) ?? null,
      }),
    )
  return { cloud: cloud.name, hasLinks: ctx.webhooks.consoleUrl !== null, webhooks }
}
