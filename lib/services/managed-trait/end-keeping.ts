import 'server-only'
import * as z from 'zod'
import { type ManagedTraitName, managedTraitNameSchema } from '@/lib/schemas/api/managed-trait-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'

// SQL: the deleted rows, by one statement.
const END = `
DELETE FROM kept_trait WHERE cloud_id = $1 AND host = $2 AND pgpu_address = $3 AND trait = $4
RETURNING kept_by AS "addedBy", change_id AS "changeId"`

const endedRow = z.object({ addedBy: z.string(), changeId: z.int() })

/** The console no longer puts a trait back on a pGPU. The trait stays where it is. */
export const endKeeping = async (ctx: ServiceContext, input: ManagedTraitName): Promise<void> => {
  requirePermission(ctx, 'kept-trait.end')
  const { host, address, trait, ...scope } = parseInput(managedTraitNameSchema, input)
  const cloud = await findCloud(ctx, scope)
  await ctx.database.transaction(async ({ query }) => {
    const rows = await query(END, [cloud.id, host, address, trait], endedRow)
    const [row] = rows
    if (row === undefined)
      throw new ServiceError('not_found', `${trait} is not managed on ${host} ${address}. Reload the page.`, {
        field: 'trait',
      })
    await writeAudit(query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'kept-trait.end',
      subject: `kept-trait:${host}/${address}/${trait}`,
      before: { addedBy: row.addedBy, change: row.changeId, devices: rows.length },
      after: null,
    })
  })
}
