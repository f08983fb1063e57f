import 'server-only'
import * as z from 'zod'
import { novaRange } from '@/lib/domain/nova-config/nova-releases'
import { parseAliasLines } from '@/lib/domain/nova-config/parse-alias-lines'
import { type EnterAliases, enterAliasesSchema } from '@/lib/schemas/api/api-alias-inputs'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'

// SQL: one statement deletes the row and returns what the audit shows.
const FORGET = 'DELETE FROM api_alias WHERE cloud_id = $1 RETURNING text'
const forgottenRow = z.object({ text: z.string() })

const audited = (ctx: ServiceContext, cloud: Cloud) => ({
  at: ctx.now(),
  actor: ctx.actor,
  cloud: cloud.name,
  subject: `cloud:${cloud.name}`,
})

/** Saves the aliases of Nova's API that an admin entered, in place of the previous entry. */
export const setAliases = async (
  ctx: ServiceContext,
  { body, ...input }: CloudScope & { body: EnterAliases },
): Promise<void> => {
  requirePermission(ctx, 'api-alias.set')
  const scope = parseInput(cloudScopeSchema, input)
  const { text } = parseInput(enterAliasesSchema, body)
  const cloud = await findCloud(ctx, scope)
  const nova = (await factsOfCloud(ctx, cloud))?.facts.versions.nova ?? null
  const { problem } = parseAliasLines(text, novaRange(nova))
  if (problem !== null) throw new ServiceError('validation', problem, { field: 'text' })
  await ctx.database.transaction(async ({ query, prisma }) => {
    const where = { cloudId: cloud.id }
    const before = await prisma.apiAlias.findUnique({ where })
    const row = { text, enteredBy: describeActor(ctx.actor), enteredAt: ctx.now() }
    await prisma.apiAlias.upsert({ where, create: { ...where, ...row }, update: row })
    await writeAudit(query, {
      ...audited(ctx, cloud),
      action: 'cloud.tell-api-aliases',
      before: before === null ? null : { text: before.text },
      after: { text },
    })
  })
}

/** The findings can't tell again what Nova's API has, unless an agent does. */
export const forgetAliases = async (ctx: ServiceContext, input: CloudScope): Promise<void> => {
  requirePermission(ctx, 'api-alias.set')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  await ctx.database.transaction(async ({ query }) => {
    const [row] = await query(FORGET, [cloud.id], forgottenRow)
    if (row === undefined)
      throw new ServiceError(
        'not_found',
        `The aliases of ${cloud.name} are not configured by an admin. Reload the page.`,
      )
    await writeAudit(query, {
      ...audited(ctx, cloud),
      action: 'cloud.forget-api-aliases',
      before: { text: row.text },
      after: null,
    })
  })
}
