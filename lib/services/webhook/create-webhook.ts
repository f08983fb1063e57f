import 'server-only'
import { randomBytes } from 'node:crypto'
import type { ShownSecret } from '@/lib/schemas/api/webhook'
import { type CreateWebhook, createWebhookSchema } from '@/lib/schemas/api/webhook-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { idRow } from '@/lib/server/database/row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { originOf } from './check-address'
import { refuseTakenName } from './name-taken'
import { sealPurpose, shownWebhook } from './webhook-rows'

/** Each event of a cloud is written once for each of its webhooks. */
const MAX_WEBHOOKS = 20

// SQL: the id before the row exists, since the sealed texts are bound to it.
const NEXT_ID = `SELECT nextval(pg_get_serial_sequence('webhook', 'id'))::int AS id`
export const newWebhookSecret = (): string => `sbws_${randomBytes(32).toString('base64url')}`

const nextId = async (
  { prisma, query }: Connection,
  { cloudId, name }: { cloudId: number; name: string },
): Promise<number> => {
  await lockRow(query, 'cloud', cloudId)
  if ((await prisma.webhook.count({ where: { cloudId } })) >= MAX_WEBHOOKS)
    throw new ServiceError(
      'conflict',
      `This cloud has ${MAX_WEBHOOKS} webhooks, which is the maximum: delete one that is no longer needed.`,
    )
  const [next] = await query(NEXT_ID, [], idRow)
  if (next === undefined) throw new Error('a sequence gave no number')
  await refuseTakenName(prisma, { cloudId, name, id: next.id })
  return next.id
}

/** Creates a webhook of a cloud with a secret, which only this answer contains. */
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
  return ctx.database.transaction(async (connection) => {
    const { name } = wanted
    const id = await nextId(connection, { cloudId: cloud.id, name })
    await connection.prisma.webhook.create({
      data: {
        ...wanted,
        id,
        cloudId: cloud.id,
        origin,
        sealedAddress: seal(address, sealPurpose(id, 'address')),
        sealedSecret: seal(secret, sealPurpose(id, 'secret')),
        madeBy: describeActor(ctx.actor),
        madeAt: at,
      },
    })
    await writeAudit(connection.query, {
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
