import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findRequest, type RequestRow } from './request-rows'

const END = `
UPDATE quota_request SET state = 'ended', version = version + 1, ended_at = $2::timestamptz, end_note = $3, problem = NULL
WHERE id = $1`

const HAND_ON = `UPDATE quota_request SET before_value = $2 WHERE id = $1`

const FAIL = `UPDATE quota_request SET problem = $2 WHERE id = $1 AND problem IS DISTINCT FROM $2`

type Ending = {
  /** Why the limit was not taken back; null: it was. */
  note: string | null
  /** A later grant that stands on this one, and what it goes back to at its own end. */
  heir?: { id: number; before: number | null }
}

/** Records that the end date of a grant was dealt with. */
export const recordEnd = (ctx: ServiceContext, row: RequestRow, { note, heir }: Ending): Promise<void> =>
  ctx.database.transaction(async ({ query }) => {
    const at = ctx.now()
    const found = await findRequest(query, row.id, { locked: true })
    if (found?.state !== 'approved') return
    await query(END, [row.id, at, note])
    if (heir !== undefined) await query(HAND_ON, [heir.id, heir.before])
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: row.cloud,
      action: 'quota-request.end',
      subject: `quota-request:${row.id}`,
      before: { state: row.state, limit: row.grantedValue },
      after: {
        state: 'ended',
        note,
        change: row.backChangeId,
        ...(heir === undefined ? {} : { heir: heir.id }),
      },
    })
  })

/** Records why the end date could not be dealt with yet; null: nothing is in the way any more. */
export const recordProblem = async (
  { database }: ServiceContext,
  id: number,
  problem: string | null,
): Promise<void> => {
  await database.query(FAIL, [id, problem])
}
