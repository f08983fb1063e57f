import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { WebhookDto, WebhookList } from '@/lib/schemas/api/webhook'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { shownWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-rows'

type Row = WebhookRow & {
  waiting: number
  lastEvent: string | null
  lastState: NonNullable<WebhookDto['last']>['state']
  lastTries: number
  lastTriedAt: Date
  lastStatus: number | null
  lastFailure: string | null
  lastTookMs: number | null
}

const LIST = `
SELECT ${WEBHOOK_COLUMNS},
  (SELECT count(*)::int FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'waiting') AS waiting,
  last.event ->> 'event' AS "lastEvent", last.state AS "lastState", last.tries AS "lastTries", last.tried_at AS "lastTriedAt",
  last.answered_status AS "lastStatus", last.failure AS "lastFailure", last.took_ms AS "lastTookMs"
FROM webhook w JOIN cloud c ON c.id = w.cloud_id LEFT JOIN LATERAL (
  SELECT * FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.tried_at IS NOT NULL
  ORDER BY d.tried_at DESC, d.id DESC LIMIT 1) last ON true
WHERE w.cloud_id = $1 ORDER BY w.name COLLATE "C"`

const lastOf = (row: Row): WebhookDto['last'] =>
  row.lastEvent === null
    ? null
    : {
        event: row.lastEvent,
        state: row.lastState,
        tries: row.lastTries,
        triedAt: row.lastTriedAt.toISOString(),
        status: row.lastStatus,
        failure: row.lastFailure,
        tookMs: row.lastTookMs,
      }

const webhookOf = (row: Row): WebhookDto => ({
  id: row.id,
  ...shownWebhook(row),
  madeBy: row.madeBy,
  waiting: row.waiting,
  madeAt: row.madeAt.toISOString(),
  last: lastOf(row),
})

/** The webhooks of a cloud by name, with how the last try of each ended. Neither secrets nor addresses. */
export const listWebhooks = async (ctx: ServiceContext, input: CloudScope): Promise<WebhookList> => {
  requirePermission(ctx, 'webhook.list')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.query(LIST, [cloud.id], uncheckedRow<Row>())
  return { cloud: cloud.name, hasLinks: ctx.webhooks.consoleUrl !== null, webhooks: rows.map(webhookOf) }
}
