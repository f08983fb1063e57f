import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { createJoinTokenSchema } from '@/lib/schemas/api/agent-inputs'
import type { CreatedJoinToken } from '@/lib/schemas/api/agents'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { JoinToken as Row } from '@/lib/server/prisma-client/client'
import { newJoinToken } from '@/lib/server/secrets/agent-secrets'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { installCommand } from './install-command'
import { joinTokenOf } from './join-token-row'

const INSERT = `
INSERT INTO join_token (cloud_id, hash, label, host_name, max_uses, created_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz)
RETURNING id, cloud_id AS "cloudId", hash, label, host_name AS "hostName", max_uses AS "maxUses", uses,
  created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`

/** A token to enrol hosts with. It is shown in the answer and nowhere else; `origin` is the console as the caller sees it. */
export const createJoinToken = async (
  ctx: ServiceContext,
  input: { body: unknown; origin: string },
): Promise<CreatedJoinToken> => {
  requirePermission(ctx, 'join-token.create')
  const {
    cloud: cloudName,
    label,
    lifetimeMinutes,
    maxUses,
    hostName,
  } = parseInput(createJoinTokenSchema, input.body)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const { token, hash } = newJoinToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + lifetimeMinutes * 60_000)
  const row = await ctx.database.transaction(async ({ query }) => {
    const createdBy = describeActor(ctx.actor)
    const params = [cloud.id, hash, label, hostName, maxUses, createdBy, now, expiresAt]
    const [created] = await query(INSERT, params, uncheckedRow<Row>())
    if (created === undefined) throw new Error('INSERT with RETURNING gave no row')
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'join-token.create',
      subject: `join-token:${created.id}`,
      before: null,
      after: { cloud: cloud.name, label, hostName, maxUses, expiresAt: expiresAt.toISOString() },
    })
    return created
  })
  return {
    ...joinTokenOf(row, now),
    token,
    installCommand: installCommand({ origin: input.origin, hostName }),
  }
}
