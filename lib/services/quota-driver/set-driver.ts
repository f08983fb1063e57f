import 'server-only'
import * as z from 'zod'
import { type EnterDriver, enterDriverSchema } from '@/lib/schemas/api/quota-driver-inputs'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'

// SQL: one statement deletes the row and returns what the audit shows.
const WITHDRAW = 'DELETE FROM quota_driver WHERE cloud_id = $1 RETURNING driver'
const withdrawnRow = z.object({ driver: z.string() })

const audited = (ctx: ServiceContext, cloud: Cloud) => ({
  at: ctx.now(),
  actor: ctx.actor,
  cloud: cloud.name,
  subject: `cloud:${cloud.name}`,
})

/** Saves an admin's answer about the quota driver of Nova's API, in place of the previous one. */
export const setDriver = async (
  ctx: ServiceContext,
  { body, ...input }: CloudScope & { body: EnterDriver },
): Promise<void> => {
  requirePermission(ctx, 'quota-driver.set')
  const scope = parseInput(cloudScopeSchema, input)
  const { driver } = parseInput(enterDriverSchema, body)
  const cloud = await findCloud(ctx, scope)
  await ctx.database.transaction(async ({ query, prisma }) => {
    const where = { cloudId: cloud.id }
    const before = await prisma.quotaDriver.findUnique({ where })
    const row = { driver, enteredBy: describeActor(ctx.actor), enteredAt: ctx.now() }
    await prisma.quotaDriver.upsert({ where, create: { ...where, ...row }, update: row })
    await writeAudit(query, {
      ...audited(ctx, cloud),
      action: 'cloud.tell-quota-driver',
      before: before === null ? null : { driver: before.driver },
      after: { driver },
    })
  })
}

/** What hosts and Nova's answers show counts again alone. */
export const withdrawDriver = async (ctx: ServiceContext, input: CloudScope): Promise<void> => {
  requirePermission(ctx, 'quota-driver.set')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  await ctx.database.transaction(async ({ query }) => {
    const [row] = await query(WITHDRAW, [cloud.id], withdrawnRow)
    if (row === undefined)
      throw new ServiceError(
        'not_found',
        `The quota driver of ${cloud.name} is not configured by an admin. Reload the page.`,
      )
    await writeAudit(query, {
      ...audited(ctx, cloud),
      action: 'cloud.withdraw-quota-driver',
      before: { driver: row.driver },
      after: null,
    })
  })
}
