import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { parseAliasLines } from '@/lib/domain/nova-config/parse-alias-lines'
import { type TellAliases, tellAliasesSchema } from '@/lib/schemas/api/api-alias-inputs'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadToldText } from '@/lib/services/cloud/told-aliases'

const TELL = `
INSERT INTO api_alias (cloud_id, text, told_by, told_at) VALUES ($1, $2, $3, $4::timestamptz)
ON CONFLICT (cloud_id) DO UPDATE SET text = excluded.text, told_by = excluded.told_by, told_at = excluded.told_at`

const FORGET = 'DELETE FROM api_alias WHERE cloud_id = $1 RETURNING text'

const audited = (ctx: ServiceContext, cloud: Cloud) => ({
  at: ctx.now(),
  actor: ctx.actor,
  cloud: cloud.name,
  subject: `cloud:${cloud.name}`,
})

/** Takes what nova.conf of Nova's API has for aliases, in the words of an admin, in place of what was told before. */
export const tellAliases = async (
  ctx: ServiceContext,
  { body, ...input }: CloudScope & { body: TellAliases },
): Promise<void> => {
  requirePermission(ctx, 'api-alias.tell')
  const scope = parseInput(cloudScopeSchema, input)
  const { text } = parseInput(tellAliasesSchema, body)
  const { problem } = parseAliasLines(text)
  if (problem !== null) throw new ServiceError('validation', problem, { field: 'text' })
  const cloud = await findCloud(ctx, scope)
  await ctx.database.transaction(async ({ query }) => {
    const before = await loadToldText(query, cloud.id)
    await query(TELL, [cloud.id, text, describeActor(ctx.actor), ctx.now().toISOString()])
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
  requirePermission(ctx, 'api-alias.tell')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  await ctx.database.transaction(async ({ query }) => {
    const [row] = await query(FORGET, [cloud.id], uncheckedRow<{ text: string }>())
    if (row === undefined)
      throw new ServiceError('not_found', `Nobody has told the aliases of ${cloud.name}. Reload the page.`)
    await writeAudit(query, {
      ...audited(ctx, cloud),
      action: 'cloud.forget-api-aliases',
      before: { text: row.text },
      after: null,
    })
  })
}
