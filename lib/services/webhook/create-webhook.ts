import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { randomBytes } from 'node:crypto'
import type { ShownSecret } from '@/lib/schemas/api/webhook'
import { type CreateWebhook, createWebhookSchema } from '@/lib/schemas/api/webhook-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { originOf } from './check-address'
import { refuseTakenName } from './name-taken'
import { sealPurpose, shownWebhook } from './webhook-rows'

/** Each event of a cloud is written once for each of its webhooks. */
const MOST_WEBHOOKS = 20

const LOCK_CLOUD = 'SELECT id FROM cloud WHERE id = $1 FOR NO KEY UPDATE'
const COUNT = 'SELECT count(*)::int AS count FROM webhook WHERE cloud_id = $1'
const NEXT_ID = `SELECT nextval(pg_get_serial_sequence('webhook', 'id'))::int AS id`
const INSERT = `
INSERT INTO webhook (id, cloud_id, name, origin, sealed_address, sealed_secret, form, finding_severity, wants_exhaustion,
  wants_changes, made_by, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz)`

export const newWebhookSecret = (): string => `sbws_${randomBytes(32).toString('base64url')}`

const nextId = async (
  query: Query,
  { cloudId, name }: { cloudId: number; name: string },
): Promise<number> => {
  await query(LOCK_CLOUD, [cloudId])
  const [row] = await query(COUNT, [cloudId], uncheckedRow<{ count: number }>())
  if ((row?.count ?? 0) >= MOST_WEBHOOKS)
    throw new ServiceError(
      'conflict',
      `This cloud has ${MOST_WEBHOOKS} webhooks, and that is the most: delete one that nobody needs.`,
    )
  const [next] = await query(NEXT_ID, [], uncheckedRow<{ id: number }>())
  if (next === undefined) throw new Error('a sequence gave no number')
  await refuseTakenName(query, { cloudId, name, id: next.id })
  return next.id
}

/** A webhook of a cloud, with a secret of its own that is shown in the answer and nowhere else. */
export const createWebhook = async (
  ctx: ServiceContext,
  { body }: { body: CreateWebhook },
): Promise<ShownSecret> => {
  requirePermission(ctx, 'webhook.change')
  const { cloud: cloudName, address, ...wanted } = parseInput(createWebhookSchema, body)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const origin = originOf(ctx, address)
  const [secret, at] = [newWebhookSecret(), ctx.now()]
  const { seal } = ctx.webhooks.box
  return ctx.database.transaction(async ({ query }) => {
    const { name, form, findingSeverity, wantsExhaustion, wantsChanges } = wanted
    const id = await nextId(query, { cloudId: cloud.id, name })
    await query(INSERT, [
      ...[id, cloud.id, name, origin, seal(address, sealPurpose(id, 'address'))],
      ...[seal(secret, sealPurpose(id, 'secret')), form, findingSeverity, wantsExhaustion, wantsChanges],
      ...[describeActor(ctx.actor), at],
    ])
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'webhook.create',
      subject: `webhook:${id}`,
      before: null,
      after: shownWebhook({ ...wanted, origin, isEnabled: true }),
    })
    return { id, name, secret }
  })
}
